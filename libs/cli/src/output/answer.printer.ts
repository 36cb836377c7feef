import type { IncomingMessage } from 'node:http';
import { envelopeOf, type Envelope } from '@nest-endpoints/core/internal';
import { painted } from './json.painter.js';
import { recordTable } from './record.table.js';
import type { Terminal } from './terminal.js';

/** An answer in JSON, whole. */
export interface JsonAnswer {
  readonly text: string;
  /** Undefined for JSON outside of the envelope. */
  readonly envelope: Envelope | undefined;
  /** The data: that of the envelope, else the whole. */
  readonly data: unknown;
  readonly isSuccess: boolean;
}

/** Prints answers: a success on standard output, anything else on standard error. */
export class AnswerPrinter {
  constructor(
    private readonly output: Terminal,
    private readonly errors: Terminal,
  ) {}

  /** @returns whether the answer is a success */
  async print(answer: IncomingMessage, asTable: boolean): Promise<boolean> {
    if (!isJson(answer)) return this.#printStream(answer);
    const json = await readJsonAnswer(answer);
    if (json.text === '') return this.#printNothing(answer);
    const { data } = json;
    if (asTable && json.isSuccess && Array.isArray(data))
      await this.output.write(recordTable(data, this.output));
    else await this.printJson(json);
    return json.isSuccess;
  }

  /** For people indented and in colours; for programs as it was sent. */
  async printJson({ text, isSuccess }: JsonAnswer): Promise<void> {
    const terminal = isSuccess ? this.output : this.errors;
    await terminal.write(`${terminal.isWatched ? painted(text, terminal) : text.trimEnd()}\n`);
  }

  /** Prints a body that is no JSON as it comes. */
  async #printStream(answer: IncomingMessage): Promise<boolean> {
    const isSuccess = isGood(answer);
    const terminal = isSuccess ? this.output : this.errors;
    const show = (text: string): Promise<void> =>
      isOfJson(answer) ? terminal.showJson(text) : terminal.show(text);
    let isEmpty = true;
    // A character may come in two parts, and what is piped may be no text at all.
    const chunks = terminal.isWatched ? answer.setEncoding('utf8') : answer;
    for await (const chunk of chunks as AsyncIterable<Buffer | string>) {
      isEmpty = false;
      if (typeof chunk === 'string') await show(chunk);
      else await terminal.write(chunk);
    }
    return isEmpty ? this.#printNothing(answer) : isSuccess;
  }

  /** Prints the status of a failure that has no body, as HEAD has none. */
  async #printNothing(answer: IncomingMessage): Promise<boolean> {
    const { statusCode = 500, statusMessage = '' } = answer;
    if (!isGood(answer)) await this.errors.show(`${statusCode} ${statusMessage}\n`);
    return isGood(answer);
  }
}

/** Reads an answer to its end. */
export async function readJsonAnswer(answer: IncomingMessage): Promise<JsonAnswer> {
  const text = Buffer.concat(await answer.toArray()).toString('utf8');
  const value = parsed(text);
  const envelope = envelopeOf(value);
  const data = envelope === undefined ? value : envelope.data;
  return { text, envelope, data, isSuccess: envelope?.isSuccess ?? isGood(answer) };
}

/** True if a body of JSON is to be expected; HEAD has none. */
export function isJson({ headers, statusCode }: IncomingMessage): boolean {
  const type = headers['content-type'] ?? '';
  return statusCode !== 304 && headers['content-length'] !== '0' && /^application\/(.*\+)?json\b/i.test(type);
}

/** True for lines of JSON and the like. */
function isOfJson({ headers }: IncomingMessage): boolean {
  return /json/i.test(headers['content-type'] ?? '');
}

function isGood({ statusCode = 500 }: IncomingMessage): boolean {
  return statusCode < 400;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
