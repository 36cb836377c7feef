import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { UsageError } from '../command-line/usage.error.js';
import { mcpMessageOf, type McpMessage } from '../request/mcp.message.js';
import { partsOf } from '../request/operation.at.js';
import { requestOf } from '../request/request.of.line.js';
import { segmentsOf } from '../request/path.words.js';
import type { CommandContext } from './command.context.js';

/**
 * Serves an Mcp of the application on standard input and output, a message on each line. Each is a request to the endpoint, so
 * that tools, tokens and rules are those of the network. It ends with its input.
 */
export async function serveMcp(context: CommandContext, words: readonly string[]): Promise<boolean> {
  const path = mcpAt(context, words);
  await context.finishStart();
  const running = new Map<unknown, AbortController>();
  const answers = new Set<Promise<void>>();
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  // Where nobody reads answers, no more messages are taken. Those that came go on to their end: they may write.
  for (const over of [context.signal, context.output.broken])
    over.addEventListener('abort', () => {
      lines.close();
    });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const answer = answered(context, path, line, running);
    answers.add(answer);
    void answer.finally(() => answers.delete(answer));
  }
  await Promise.all(answers);
  return true;
}

/** The segments of the path of the Mcp that is meant. @throws UsageError */
function mcpAt({ application }: CommandContext, words: readonly string[]): readonly string[] {
  const paths = [
    ...new Set(application.endpoints.filter(({ kind }) => kind === 'Mcp').map(({ path }) => path)),
  ];
  const asked = `/${segmentsOf(words).join('/')}`;
  const meant = words.length === 0 && paths.length === 1 ? paths[0] : paths.find((path) => path === asked);
  if (meant !== undefined) return partsOf(meant);
  if (words.length === 0 && paths.includes('/mcp')) return ['mcp'];
  const known = paths.map((path) => partsOf(path).join(' ')).join(', ');
  throw new UsageError(
    paths.length === 0
      ? 'There is no Mcp in this application.'
      : `Name an Mcp by its path behind the word mcp: ${known}.`,
  );
}

async function answered(
  context: CommandContext,
  path: readonly string[],
  line: string,
  running: Map<unknown, AbortController>,
): Promise<void> {
  const message = mcpMessageOf(line);
  const write = (body: string): Promise<void> => context.output.write(`${body}\n`);
  if (message === undefined) {
    await write(errorOf(null, -32_700, 'Parse error'));
    return;
  }
  if (message.cancels !== undefined) {
    running.get(message.cancels)?.abort();
    return;
  }
  const leaving = new AbortController();
  if (message.id !== undefined) running.set(message.id, leaving);
  try {
    const body = await sent(context, path, message, AbortSignal.any([context.signal, leaving.signal]));
    if (message.id !== undefined && body !== '') await write(body);
  } catch (error) {
    // Who takes a request back waits for no answer.
    if (!leaving.signal.aborted && !context.signal.aborted) throw error;
  } finally {
    running.delete(message.id);
  }
}

/** Sends a message to the endpoint. @returns what is to be written; empty for nothing */
async function sent(
  { line, application, environment }: CommandContext,
  path: readonly string[],
  { text: body, id, headers }: McpMessage,
  signal: AbortSignal,
): Promise<string> {
  const asked = { ...line, words: path, parameters: [], requestMethod: 'POST' };
  const request = requestOf(asked, { text: body, value: undefined }, application, environment);
  const accept = ['accept', 'application/json, text/event-stream'] as const;
  const answer = await application.client.send(
    { ...request, headers: new Map([...request.headers, accept, ...headers]) },
    { signal },
  );
  return lineOf(answer, await text(answer), id);
}

/** The line of an answer. What HTTP alone says, as that a token is missing, becomes an error. */
function lineOf({ statusCode = 500 }: IncomingMessage, body: string, id: McpMessage['id']): string {
  if (body === '') return '';
  const answer = JSON.parse(body) as Readonly<Record<string, unknown>>;
  if (answer['jsonrpc'] === '2.0')
    return JSON.stringify(answer['id'] === null ? { ...answer, id: id ?? null } : answer);
  const [reason] = [answer['error'], answer['Error']].filter((one) => typeof one === 'string');
  return errorOf(id ?? null, -32_000, `${statusCode} ${reason ?? 'refused'}`);
}

function errorOf(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
