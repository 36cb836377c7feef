import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { EndpointRequest } from '@nest-endpoints/core/kinds';
import type { ToolBox } from './tool.box.js';

/** The identity of a server, and how it serves. */
export interface ProtocolOptions {
  readonly name: string;
  readonly instructions: string | undefined;
  /** `reject` serves only clients of the revision 2026-07-28. */
  readonly legacy: 'stateless' | 'reject';
}

/** Tools change when the application is started anew; who sees which depends on the sender. */
const cacheHint = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** An answer in HTTP. */
export interface ProtocolAnswer {
  readonly statusCode: number;
  /** Empty for none. */
  readonly body: string;
}

/** The fate of one request. */
interface Exchange {
  readonly request: EndpointRequest;
  /** The arguments as they were sent: the package of the protocol leaves out `__proto__`, which its endpoint refuses. */
  readonly given: Readonly<Record<string, unknown>> | undefined;
  /** The error that was thrown within, which is no answer of the protocol. */
  failure: { readonly error: unknown } | undefined;
}

/** A validator that nobody asks: clients are asked for no input. */
const noValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: '' }) as const,
};

/**
 * Speaks the protocol, of both generations, with the package of its authors. Each message has a server of its own, and nothing is kept
 * between two of them; answers are one JSON document.
 */
export class ProtocolServer {
  readonly #exchanges = new WeakMap<Request, Exchange>();
  readonly #modern = createMcpHandler(({ requestInfo }) => this.#serverFor(requestInfo), {
    legacy: 'reject',
    maxSubscriptions: 0,
  });

  constructor(
    private readonly options: ProtocolOptions,
    private readonly box: () => ToolBox,
  ) {}

  /** @throws whatever a tool, or a rule about who is shown it, throws: it is answered and logged as that of any endpoint */
  async answer(request: EndpointRequest, message: ReadonlyMap<string, unknown>): Promise<ProtocolAnswer> {
    const parsedBody = Object.fromEntries(message);
    const asked = webRequest(request);
    const exchange: Exchange = { request, given: argumentsOf(message), failure: undefined };
    this.#exchanges.set(asked, exchange);
    const isLegacy = this.options.legacy === 'stateless' && (await isLegacyRequest(asked, parsedBody));
    const response = isLegacy
      ? await this.#legacy(asked, parsedBody)
      : await this.#modern.fetch(asked, { parsedBody });
    const body = await response.text();
    if (exchange.failure !== undefined) throw exchange.failure.error;
    return { statusCode: response.status, body };
  }

  async #legacy(asked: Request, parsedBody: unknown): Promise<Response> {
    const server = this.#serverFor(asked);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(asked, { parsedBody });
    } finally {
      await server.close();
    }
  }

  #serverFor(asked: Request | undefined): McpServer {
    const exchange = asked && this.#exchanges.get(asked);
    if (exchange === undefined) throw new Error('nobody asks');
    const { name, instructions } = this.options;
    const mcp = new McpServer(
      { name, version: '1.0.0' },
      {
        capabilities: { tools: { listChanged: false } },
        ...(instructions === undefined ? {} : { instructions }),
        cacheHints: { 'tools/list': cacheHint, 'server/discover': cacheHint },
        jsonSchemaValidator: noValidator,
      },
    );
    mcp.server.setRequestHandler('tools/list', () => answered(exchange, () => this.#list(exchange)));
    mcp.server.setRequestHandler('tools/call', ({ params: { name } }) =>
      answered(exchange, () => this.#call(exchange, name)),
    );
    return mcp;
  }

  async #list({ request }: Exchange) {
    return { tools: [...(await this.box().list(request))] };
  }

  async #call({ request, given = {} }: Exchange, name: string) {
    const result = await this.box().call(request, name, given);
    if (result !== undefined) return result;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  }
}

/** Gives what a handler gives. What it throws is kept: the package of the protocol would tell clients the text of any error. */
async function answered<Result>(exchange: Exchange, handler: () => Promise<Result>): Promise<Result> {
  try {
    return await handler();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    exchange.failure = { error };
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  }
}

/** The arguments of a message. Of one without, or with others than the protocol has, its package says so. */
function argumentsOf(message: ReadonlyMap<string, unknown>): Exchange['given'] {
  const { arguments: given } = Object(message.get('params')) as { arguments?: Exchange['given'] };
  return given;
}

/** The headers that the protocol reads. */
const headerNames = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** A request as the protocol's package has it. Its body was read, and judged to be JSON, before. */
function webRequest({ headers, path, cancellation }: EndpointRequest): Request {
  const given = headerNames.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: [['content-type', 'application/json'], ...given],
    body: '{}',
    signal: cancellation.signal,
  });
}
