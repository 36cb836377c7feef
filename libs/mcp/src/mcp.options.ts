import { optionChecks, type ChecksOf, type EndpointOptions } from '@nest-endpoints/core';
import type { ToolChoice } from './tools/tool.choice.js';

/** Parameters of {@link Mcp}. */
export interface McpOptions extends Omit<EndpointOptions, 'outputSchema' | 'requestMethods' | 'tool'> {
  /** The path of the server, below that of the group. */
  readonly url: string;
  /** True to offer the endpoints of the whole application. Default false: the group around it, and the groups below that. */
  readonly wholeApplication?: boolean;
  /**
   * The endpoints that are tools: those that only read, all, the names of tools, or a function that says so of an operation. What
   * says `tool: false` never is, nor what answers outside of the envelope. Default `reads`.
   */
  readonly tools?: ToolChoice;
  /**
   * The way in which tools are shown: each by itself, or behind tools that search, describe and call them. `auto` is `registry`
   * where there are more than `maximumTools`. Default `auto`.
   */
  readonly mode?: 'tools' | 'registry' | 'auto';
  /** The most tools that are shown by themselves, from 1 to 512. Default 64. */
  readonly maximumTools?: number;
  /** The most records of a page that agents get, from 1. The endpoint's own limit holds, too. Default 50. */
  readonly maximumLimit?: number;
  /** The longest answer of a tool, in bytes, from 256. A longer one is an error that says how to ask for less. Default 65,536. */
  readonly answerLimit?: number;
  /** The url of the server as clients know it, which their tokens are for. It makes the document of RFC 9728. Default none. */
  readonly resource?: string;
  /** The urls of the issuers of tokens for {@link resource}. Default none. */
  readonly authorizationServers?: readonly string[];
  /** The scopes to ask a token for. Default none. */
  readonly scopes?: readonly string[];
  /** The origins of pages that may ask, e.g. `https://agents.example`. A request with another one is a 403. Default none. */
  readonly origins?: readonly string[];
  /** The name of the server, for people who look at a list of them. Default `nest-endpoints`. */
  readonly name?: string;
  /** A text for models about the server as a whole. Default none. */
  readonly instructions?: string;
  /** The treatment of clients of protocols before 2026-07-28: served without a session, or refused. Default `stateless`. */
  readonly legacy?: 'stateless' | 'reject';
}

const named = optionChecks.listOf('names of tools', optionChecks.filledText);

const tools = optionChecks.check("'reads', 'all', names of tools, or a function", (value) => {
  if (value === 'reads' || value === 'all') return true;
  return (Array.isArray(value) ? named : optionChecks.callable).complaint(value) === undefined;
});

const url = optionChecks.check('a url of http or https', (value) =>
  /^https?:$/.test(urlOf(value)?.protocol ?? ''),
);

const origin = optionChecks.check(
  "an origin, e.g. 'https://agents.example'",
  (value) => typeof value === 'string' && urlOf(value)?.origin === value,
);

const scope = optionChecks.check(
  'a scope: a text without spaces and quotes',
  (value) => typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value),
);

function urlOf(value: unknown): URL | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
}

/** The checks of the options that only an Mcp has. */
export const mcpChecks = {
  wholeApplication: optionChecks.boolean,
  tools,
  mode: optionChecks.oneOfTexts('tools', 'registry', 'auto'),
  maximumTools: optionChecks.wholeNumber(1, 512),
  maximumLimit: optionChecks.wholeNumber(1),
  answerLimit: optionChecks.wholeNumber(256, undefined, 'bytes'),
  resource: url,
  authorizationServers: optionChecks.listOf('urls of issuers', url),
  scopes: optionChecks.listOf('scopes', scope),
  origins: optionChecks.listOf('origins', origin),
  name: optionChecks.filledText,
  instructions: optionChecks.filledText,
  legacy: optionChecks.oneOfTexts('stateless', 'reject'),
} as const satisfies ChecksOf<Omit<McpOptions, keyof EndpointOptions>>;
