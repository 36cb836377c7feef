/**
 * The reason for refusing a token, for the log. The message never holds the token. What it quotes of it stands in JSON,
 * so that it cannot begin a line of its own.
 */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';

  /** Without a stack: it tells nothing about what a client sent, and collecting it takes longer than to judge a token. */
  constructor(reason: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(reason);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const quoted = 60;

/** A value of a token as a reason may show it: short, on one line, and never looked into, because it may be deep. */
export function quote(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'as a list' : 'as an object';
  if (typeof value !== 'string') return String(value);
  return value.length <= quoted ? JSON.stringify(value) : `${JSON.stringify(value.slice(0, quoted))}…`;
}

/** A text of others, an error message say, as a log may show it: without the token or one of its parts. */
export function withoutToken(text: string, token: string): string {
  return [token, ...token.split('.')]
    .filter((part) => part !== '')
    .reduce((rest, part) => rest.replaceAll(part, '[token]'), text);
}
