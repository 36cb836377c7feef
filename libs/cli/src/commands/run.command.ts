import type { CommandLine } from '../command-line/command.line.js';
import { UsageError } from '../command-line/usage.error.js';
import { endpointsAt } from '../request/operation.at.js';
import { meantLine } from '../request/meant.line.js';
import { segmentsOf } from '../request/path.words.js';
import { askEndpoint } from './ask.endpoint.js';
import type { CommandContext } from './command.context.js';
import { followPages } from './follow.pages.js';
import { showHelp } from './show.help.js';
import { ownCommands, type OwnCommand } from './own.commands.js';
import { startsServer } from './starts.server.js';

/**
 * Finds the meaning of the words, and does it. The application's paths come first: `schema` is ours only where the
 * application has no endpoint of this name.
 * @returns whether it is a success
 */
export async function runCommand(typed: CommandContext): Promise<boolean> {
  const { application } = typed;
  const line = meantLine(typed.line, application);
  const context = { ...typed, line };
  if (line.help) return showHelp(context);
  const segments = segmentsOf(line.words);
  const taken = endpointsAt(application, segments);
  // The path of an Mcp may be its word: then it is asked by what has a body alone.
  const isServed = startsServer(line) && taken.some(({ kind }) => kind === 'Mcp');
  const isTaken = taken.length > 0 && !isServed;
  const own = isTaken ? undefined : ownCommands.get(segments[0] ?? '');
  if (own?.fits(segments.slice(1)) === true) {
    refuseUnheeded(own, segments[0] ?? '', typed.line);
    return own.run(context, segments.slice(1), askEndpoint);
  }
  if (line.words.length === 0 && !isTaken) return showHelp(context, false);
  await context.finishStart();
  return line.follow ? followPages(context) : askEndpoint(context);
}

/** Refuses what a word of ours would leave unheeded: who says `--dry-run` counts on it. @throws UsageError */
function refuseUnheeded({ asks, parameters = [] }: OwnCommand, word: string, line: CommandLine): void {
  if (asks === true) return;
  const given = {
    data: line.data !== undefined,
    request_method: line.requestMethod !== undefined,
    follow: line.follow,
    'dry-run': line.dryRun,
  };
  const options = Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  const names = [...options, ...line.parameters.map(([name]) => name)];
  const unheeded = names.find((name) => !parameters.includes(name));
  if (unheeded === undefined) return;
  const known = parameters.map((name) => `, only --${name}`).join('');
  throw new UsageError(`${word} takes no --${unheeded}${known}.`);
}
