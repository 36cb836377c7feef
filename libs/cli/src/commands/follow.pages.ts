import { UsageError } from '../command-line/usage.error.js';
import { pageOf } from '../output/answer.page.js';
import { AnswerPrinter, isJson, readJsonAnswer } from '../output/answer.printer.js';
import { FollowProgress } from '../output/follow.progress.js';
import type { DispatchedRequest } from '@nest-endpoints/core/internal';
import { onlyReads } from '../request/operation.at.js';
import { requestOf } from '../request/request.of.line.js';
import { suggest } from './suggest.js';
import { warn } from './warn.js';
import type { CommandContext } from './command.context.js';

/** Methods that read, so that asking again for the next page changes nothing. */
const reading: readonly string[] = ['GET', 'POST', 'QUERY'];

/** Walks a list from page to page as its answers say, and prints every record as a line of JSON. */
export async function followPages(context: CommandContext): Promise<boolean> {
  const { line, body, application, environment, errors } = context;
  const progress = new FollowProgress(errors);
  let request: DispatchedRequest | undefined = requestOf(line, body, application, environment);
  if (!reading.includes(request.method))
    throw new UsageError(`--follow cannot be used with ${request.method}.`);
  if (onlyReads(request, line, application)) context.endWithReader();
  try {
    for (let isFirst = true; request !== undefined; isFirst = false) {
      const page = await onePage(context, request, progress, isFirst);
      if (page === undefined) return false;
      request = page.next;
    }
  } finally {
    progress.end();
  }
  return true;
}

/** Prints a page. @returns undefined when the answer was no success */
async function onePage(
  context: CommandContext,
  request: DispatchedRequest,
  progress: FollowProgress,
  isFirst: boolean,
): Promise<{ readonly next: DispatchedRequest | undefined } | undefined> {
  const { application, signal, output, errors } = context;
  const printer = new AnswerPrinter(output, errors);
  const answer = await application.client.send(request, { signal });
  if (answer.statusCode === 404) await suggest(context);
  if (isFirst) await warn(context, answer);
  // A stream has its own lines.
  if (!isJson(answer)) return (await printer.print(answer, false)) ? { next: undefined } : undefined;
  const json = await readJsonAnswer(answer);
  const page = json.isSuccess ? pageOf(answer, json) : undefined;
  if (page === undefined) {
    progress.end();
    await printer.printJson(json);
    return json.isSuccess ? { next: undefined } : undefined;
  }
  const { records, total, next } = page;
  await output.showJson(records.map((record) => `${record}\n`).join(''));
  signal.throwIfAborted();
  progress.add(records.length, total);
  return { next: next?.(request) };
}
