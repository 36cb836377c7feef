import type { JsonText } from '../command-line/json.text.js';
import { UsageError } from '../command-line/usage.error.js';
import { AnswerPrinter, isJson, readJsonAnswer } from '../output/answer.printer.js';
import { FollowProgress } from '../output/follow.progress.js';
import type { CommandRequest } from '../dispatch/command.request.js';
import { requestOf } from '../request/request.of.line.js';
import { suggest } from './suggest.js';
import type { CommandContext } from './command.context.js';

/** Methods that read, so that asking again for the next page changes nothing. */
const reading: readonly string[] = ['GET', 'POST', 'QUERY'];

/** Walks a list from page to page as `next_page` says, and prints every record as a line of JSON. */
export async function followPages(context: CommandContext): Promise<boolean> {
  const { line, body, application, environment, errors } = context;
  const progress = new FollowProgress(errors);
  let request: CommandRequest | undefined = requestOf(line, body, application, environment);
  if (!reading.includes(request.method))
    throw new UsageError(`--follow cannot be used with ${request.method}.`);
  try {
    while (request !== undefined) {
      const page = await onePage(context, request, progress);
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
  request: CommandRequest,
  progress: FollowProgress,
): Promise<{ readonly next: CommandRequest | undefined } | undefined> {
  const { application, signal, output, errors } = context;
  const printer = new AnswerPrinter(output, errors);
  const answer = await application.client.send(request, signal);
  if (answer.statusCode === 404) await suggest(context);
  // A stream has its own lines.
  if (!isJson(answer)) return (await printer.print(answer, false)) ? { next: undefined } : undefined;
  const json = await readJsonAnswer(answer);
  if (!json.isSuccess || json.envelope === undefined) {
    progress.end();
    await printer.printJson(json);
    return json.isSuccess ? { next: undefined } : undefined;
  }
  const { data, nextPage, numberOfResults } = json.envelope;
  const records: readonly unknown[] = Array.isArray(data) ? data : [data];
  await output.write(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  signal.throwIfAborted();
  progress.add(records.length, numberOfResults);
  return { next: nextPage && withKeys(request, nextPage) };
}

/** Gives the request with the keys of the next page in the place of those it had. */
function withKeys(request: CommandRequest, keys: Readonly<Record<string, unknown>>): CommandRequest {
  if (request.method !== 'GET') return { ...request, body: withMembers(request.body, keys) };
  const others = request.query.filter(([name]) => !Object.hasOwn(keys, name));
  const added = Object.entries(keys).map(([name, value]) => [name, textOf(value)] as const);
  return { ...request, query: [...others, ...added] };
}

function withMembers(body: string | undefined, keys: Readonly<Record<string, unknown>>): string {
  const members: JsonText['value'] = body === undefined ? {} : JSON.parse(body);
  return JSON.stringify({ ...Object(members), ...keys });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
