import { endpointsAt } from '../request/operation.at.js';
import { meantLine } from '../request/meant.line.js';
import { segmentsOf } from '../request/path.words.js';
import { askEndpoint } from './ask.endpoint.js';
import type { CommandContext } from './command.context.js';
import { followPages } from './follow.pages.js';
import { showHelp } from './show.help.js';
import { ownCommands } from './own.commands.js';
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
  if (own?.fits(segments.slice(1)) === true) return own.run(context, segments.slice(1), askEndpoint);
  if (line.words.length === 0 && !isTaken) return showHelp(context, false);
  await context.finishStart();
  return line.follow ? followPages(context) : askEndpoint(context);
}
