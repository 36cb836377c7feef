import type { IncomingMessage } from 'node:http';
import { deprecationNotice } from '../output/deprecation.notice.js';
import type { CommandContext } from './command.context.js';

/** Tells on standard error, in a line, that an endpoint is not to be used any more. */
export async function warn({ errors }: CommandContext, answer: IncomingMessage): Promise<void> {
  const notice = deprecationNotice(answer);
  if (notice !== undefined) await errors.show(`${notice}\n`);
}
