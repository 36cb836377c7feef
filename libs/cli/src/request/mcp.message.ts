/** A message of the Model Context Protocol as it came, with what has to be known of it on the way. */
export interface McpMessage {
  readonly text: string;
  /** Undefined for a notification. */
  readonly id: string | number | undefined;
  /** The id of the request that it takes back; undefined for any other message. */
  readonly cancels: unknown;
  /** The headers that repeat what is in it. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Reads a line; undefined for one that is no message. */
export function mcpMessageOf(text: string): McpMessage | undefined {
  const value = jsonOr(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { id, method, params } = value as Readonly<Record<string, unknown>>;
  const { name, uri, requestId, _meta } = Object(params) as Readonly<Record<string, unknown>>;
  const version: unknown = Reflect.get(Object(_meta) as object, 'io.modelcontextprotocol/protocolVersion');
  const headers = [
    ['mcp-protocol-version', version],
    ['mcp-method', version === undefined ? undefined : method],
    ['mcp-name', version === undefined ? undefined : (name ?? uri)],
  ] as const;
  return {
    text,
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
    cancels: method === 'notifications/cancelled' ? requestId : undefined,
    headers: new Map(
      headers.flatMap(([header, one]): [string, string][] =>
        typeof one === 'string' ? [[header, headerText(one)]] : [],
      ),
    ),
  };
}

/** The text itself, or as the protocol encodes what no header can have. */
function headerText(text: string): string {
  if (/^[\x21-\x7e]+(?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
