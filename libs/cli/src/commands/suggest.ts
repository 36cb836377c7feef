import leven from 'leven';
import { endpointsAt, isParameter, partsOf } from '../request/operation.at.js';
import { segmentsOf } from '../request/path.words.js';
import type { CommandContext } from './command.context.js';
import { ownCommands } from './own.commands.js';

/** Names the path that is nearest to what was typed, where it leads nowhere and one is near. */
export async function suggest({ application, line, errors }: CommandContext): Promise<void> {
  const typed = segmentsOf(line.words);
  if (typed.length === 0 || endpointsAt(application, typed).length > 0) return;
  const own = ownCommands.get(typed[0] ?? '');
  if (own !== undefined) {
    await errors.write(`There is no '${typed.join(' ')}'. The words are: ${own.usage}\n`);
    return;
  }
  const paths = new Set(application.endpoints.map(({ path }) => path));
  const known = [...[...paths].map((path) => likened(partsOf(path), typed)), ...ownCommands.keys()];
  const [nearest] = known
    .map((path) => ({ path, distance: leven(path, typed.join('/')) }))
    .toSorted((a, b) => a.distance - b.distance);
  const length = typed.join('').length;
  if (nearest === undefined || nearest.distance > Math.max(1, Math.floor(length / 3))) return;
  await errors.write(
    `There is no '${typed.join(' ')}'. Did you mean '${nearest.path.replaceAll('/', ' ')}'?\n`,
  );
}

/** Fills parameters with the typed words: they stand for any value, so they are as near as can be. */
function likened(parts: readonly string[], typed: readonly string[]): string {
  return parts.map((part, index) => (isParameter(part) ? (typed[index] ?? part) : part)).join('/');
}
