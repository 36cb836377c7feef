import { StringDecoder } from 'node:string_decoder';
import type { EndpointRequest } from '@nest-endpoints/core/kinds';
import type { PartAnswer, PartRequest } from '@nest-endpoints/core/internal';
import { WrongArgument, ToolRequest } from './tool.request.js';
import type { Tool } from './tool.js';

/** The result of a call, as the protocol has it. */
export type CallResult = Record<string, unknown> & {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
};

/** A refusal of an endpoint that is about who asks: it is told by HTTP, so that clients log in. */
export class AccessRefused extends Error {
  constructor(readonly statusCode: 401 | 403) {
    super(statusCode === 401 ? 'Not Authenticated' : 'Not Authorized');
  }
}

/** True if no rule about the sender of a request alone keeps them from a tool. */
type IsOpen = (asking: EndpointRequest, tool: Tool) => Promise<boolean>;

/** Sends a request to the endpoint of a tool. */
export type Send = (asking: EndpointRequest, call: PartRequest, leaf: object) => Promise<PartAnswer>;

/** Calls tools: their endpoints answer, as they answer anybody. */
export class ToolCall {
  /**
   * @param answerLimit the longest answer, in bytes
   * @param maximumLimit the most records of a page
   */
  constructor(
    private readonly send: Send,
    private readonly isOpen: IsOpen,
    readonly answerLimit: number,
    private readonly maximumLimit: number,
  ) {}

  /** @throws AccessRefused */
  async run(
    asking: EndpointRequest,
    tool: Tool,
    given: Readonly<Record<string, unknown>>,
  ): Promise<CallResult> {
    const request = requestOf(tool, given, this.maximumLimit);
    if (request instanceof WrongArgument)
      return this.wrong(asking, tool, `400 client_error: ${request.message}`);
    const answer = await this.send(asking, request, tool.route.leaf);
    if (answer.kind === 'success') return this.#succeeded(tool, answer);
    if (answer.kind === 'barred') return failed('The endpoint answers with what is no data.');
    const { statusCode, status, message, inputErrors } = answer.facts;
    if (statusCode === 401 || statusCode === 403) throw new AccessRefused(statusCode);
    const reason = inputErrors.size === 0 ? message : JSON.stringify(Object.fromEntries(inputErrors));
    const longest = statusCode === 431 ? longestOf(given) : '';
    const text = `${statusCode} ${status}: ${reason}`;
    return failed(`${shortened(text, this.answerLimit)}${longest}${laterOf(answer.headers)}`);
  }

  /**
   * Says what is wrong with a call that does not reach its endpoint, to who may make it.
   *
   * @throws AccessRefused
   */
  async wrong(asking: EndpointRequest, tool: Tool, text: string): Promise<CallResult> {
    if (await this.isOpen(asking, tool)) return failed(text);
    throw new AccessRefused(403);
  }

  #succeeded(
    tool: Tool,
    { data, pagination, entityTag }: Extract<PartAnswer, { kind: 'success' }>,
  ): CallResult {
    const tag = entityTag === undefined ? '' : `,"entity_tag":${JSON.stringify(entityTag)}`;
    const text = `{"data":${data},"pagination":${pagination}${tag}}`;
    return this.answered(text, waysOf(tool));
  }

  /**
   * The result of a call, or of a question about tools, where it is not too long.
   *
   * @param text JSON
   * @param ways what to ask for instead of too much
   */
  answered(text: string, ways: readonly string[]): CallResult {
    const bytes = Buffer.byteLength(text);
    if (bytes > this.answerLimit) return failed(tooLong(bytes, ways));
    const structuredContent = JSON.parse(text) as Record<string, unknown>;
    return { content: [{ type: 'text', text }], structuredContent };
  }
}

function requestOf(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  maximumLimit: number,
): ToolRequest | WrongArgument {
  try {
    return new ToolRequest(tool, given, maximumLimit);
  } catch (error) {
    if (error instanceof WrongArgument) return error;
    throw error;
  }
}

/** The result of a call that failed, so that a model can correct itself. */
export function failed(text: string): CallResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The name of the argument that makes a request too long for its endpoint. */
function longestOf(given: Readonly<Record<string, unknown>>): string {
  const lengths = Object.entries(given).map(([name, value]) => [JSON.stringify(value).length, name] as const);
  const [longest] = lengths.toSorted(([one], [other]) => other - one);
  return longest === undefined ? '' : `; the longest argument is '${longest[1]}'`;
}

/** The seconds after which another try makes sense, where the endpoint says so. */
function laterOf(headers: readonly (readonly [string, string])[]): string {
  const [, seconds] = headers.find(([name]) => name.toLowerCase() === 'retry-after') ?? [];
  return seconds === undefined ? '' : `; try again in ${seconds} seconds`;
}

/** The beginning of a text that has more bytes than an answer may have. */
function shortened(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= limit ? text : `${new StringDecoder().write(bytes.subarray(0, limit))}…`;
}

/** The ways to ask a tool for less. */
function waysOf({ slots, limit }: Tool): readonly string[] {
  return [
    ...(limit === undefined ? [] : [`fewer records ('${limit.name}')`]),
    ...[...slots.keys()]
      .filter((name) => name.toLowerCase() === 'fields')
      .map((name) => `columns ('${name}')`),
  ];
}

function tooLong(bytes: number, ways: readonly string[]): string {
  const advice = ways.length === 0 ? 'ask for less' : `ask for ${ways.join(' or ')}`;
  return `The answer has ${bytes.toLocaleString('en-US')} bytes; ${advice}`;
}
