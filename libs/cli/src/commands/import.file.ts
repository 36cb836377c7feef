import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { FlowingBody } from '../command-line/flowing.body.js';
import { AnswerPrinter } from '../output/answer.printer.js';
import { ImportProgress } from '../output/import.progress.js';
import { requestOf } from '../request/request.of.line.js';
import type { CommandContext } from './command.context.js';
import { suggest } from './suggest.js';

/** One request whose body flows, and the lines of its answer as they come; those about how far it is go to a bar. */
export async function importFile(context: CommandContext, body: FlowingBody): Promise<boolean> {
  const { line, application, signal, environment, output, errors } = context;
  const request = requestOf(line, body, application, environment);
  const progress = new ImportProgress(errors, body);
  const counted = progress.counting();
  body.stream.once('error', (error) => counted.destroy(error)).pipe(counted);
  try {
    const answer = await application.client.send(request, { signal, flowing: counted });
    if (answer.statusCode === 404) await suggest(context);
    if (!isLines(answer)) {
      progress.end();
      return await new AnswerPrinter(output, errors).print(answer, line.table);
    }
    return await print(answer, context, progress);
  } finally {
    progress.end();
    body.stream.destroy();
  }
}

/** @returns whether the last line says so */
async function print(
  answer: IncomingMessage,
  { output, errors }: CommandContext,
  progress: ImportProgress,
): Promise<boolean> {
  let isSuccess = true;
  for await (const text of createInterface({ input: answer })) {
    const told = membersOf(text);
    const far: unknown = told['progress'];
    if (errors.isWatched && typeof far === 'object' && far !== null) {
      progress.tell(lowered(far));
      continue;
    }
    if (typeof told['status'] === 'string') {
      isSuccess = told['status'].toLowerCase() === 'success';
      progress.end();
    }
    await output.showJson(`${text}\n`);
  }
  return isSuccess && (answer.statusCode ?? 500) < 400;
}

/** The members of a line; none of what is no JSON. */
function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return lowered(JSON.parse(text) as object);
  } catch {
    return {};
  }
}

/** The members of an object under the names of the contract: an application may write them in another case. */
function lowered(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one as unknown]));
}

function isLines({ headers }: IncomingMessage): boolean {
  return /^application\/x-ndjson\b/i.test(headers['content-type'] ?? '');
}
