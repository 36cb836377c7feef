import {
  ConfigurationError,
  NotAuthenticated,
  NotAuthorized,
  optionChecks,
  Refusal,
  type OptionChecks,
} from '@nest-endpoints/core';
import { mayPostpone } from '@nest-endpoints/core/internal';
import {
  EndpointKind,
  RawReply,
  type CompiledKind,
  type EndpointRequest,
  type KindContext,
} from '@nest-endpoints/core/kinds';
import { HttpAdapterHost } from '@nestjs/core';
import { mcpChecks, type McpOptions } from './mcp.options.js';
import { ResourceMetadata } from './resource.metadata.js';
import { errorReply, jsonReply } from './server/error.reply.js';
import type { ProtocolServer } from './server/protocol.server.js';
import { AccessRefused } from './tools/tool.call.js';
import { ServedTools } from './served.tools.js';

/**
 * Serves endpoints as tools, to agents that speak the Model Context Protocol: those of the group it stands in, and of the groups
 * below. Each call is a request to its endpoint, which the sender could make as well.
 *
 * @example
 * new EndpointGroup({ endpoints: [new Mcp({ url: 'mcp' }), cities, trips] })
 */
export class Mcp extends EndpointKind<McpOptions> {
  static override readonly optionChecks: OptionChecks = {
    ...mcpChecks,
    outputSchema: optionChecks.never,
    requestMethods: optionChecks.never,
    tool: optionChecks.never,
  };

  // The methods of earlier protocols are refused in words that their clients know.
  protected override readonly defaultMethods = ['POST', 'GET', 'DELETE'] as const;
  override readonly requiredOptions = ['url'];
  override readonly repliesPlainly = false;
  override readonly readsBody = true;
  override readonly hasRecords = false;
  override readonly isBatchable = false;
  override readonly effect = 'reads';
  readonly #metadata = metadataOf(this.options);

  /** Tells clients whom to ask for a token. */
  override challenge(outcome: 'notAuthenticated' | 'notAuthorized'): string | undefined {
    return this.#metadata?.challenge(outcome);
  }

  override compile(context: KindContext): CompiledKind {
    const { owner, groups, providers } = context;
    const { origins = [] } = this.options;
    if (groups.length === 0 && this.options.wholeApplication !== true)
      throw new ConfigurationError(
        owner,
        'url',
        'an Mcp offers the endpoints of its group: put it into an EndpointGroup, or let it offer the wholeApplication',
      );
    const tools = new ServedTools(context, this.options);
    const { name = 'nest-endpoints', instructions, legacy = 'stateless' } = this.options;
    let server: Promise<ProtocolServer> | undefined;
    const started = (): Promise<ProtocolServer> =>
      (server ??= startedServer({ name, instructions, legacy }, () => tools.box));
    context.whenAllReady(async () => {
      // A command that only reads documents has no time for it.
      if (!mayPostpone()) tools.check(this.#metadata !== undefined);
      const host = (await providers.find(HttpAdapterHost, { native: {} })) as HttpAdapterHost;
      this.#metadata?.serve(owner, host.httpAdapter);
    });
    return {
      reads: ['mcp-protocol-version', 'mcp-method', 'mcp-name'],
      handle: (request) => {
        const refused = refusedByHead(request, origins);
        return refused === undefined ? answered(started, request) : Promise.resolve(refused);
      },
      // Documents tell of the endpoints that it offers, not of itself.
      describe: () => undefined,
    };
  }
}

function metadataOf({
  resource,
  authorizationServers = [],
  scopes = [],
}: McpOptions): ResourceMetadata | undefined {
  return resource === undefined
    ? undefined
    : new ResourceMetadata({ resource, authorizationServers, scopes });
}

/** The answer to a request whose head says enough; undefined for one that is to be read. */
function refusedByHead(
  { method, headers: { origin } }: EndpointRequest,
  origins: readonly string[],
): RawReply | undefined {
  // A page of a stranger's may reach the service by any name (DNS rebinding), but never without this header.
  if (origin !== undefined && !origins.includes(origin))
    return errorReply(403, -32_000, 'The origin is not allowed');
  return method === 'POST' ? undefined : errorReply(405, -32_000, 'Method not allowed', [['Allow', 'POST']]);
}

/** Starts to speak the protocol, for the first agent: its package takes half a second to load, which commands need not wait for. */
async function startedServer(
  ...parameters: ConstructorParameters<typeof ProtocolServer>
): Promise<ProtocolServer> {
  const { ProtocolServer } = await import('./server/protocol.server.js');
  return new ProtocolServer(...parameters);
}

async function answered(started: () => Promise<ProtocolServer>, request: EndpointRequest): Promise<RawReply> {
  const message = messageOf(request);
  if (message instanceof Refusal) return errorReply(message.statusCode, -32_700, message.message);
  try {
    const server = await started();
    const { statusCode, body } = await server.answer(request, message);
    return jsonReply(statusCode, body);
  } catch (error) {
    if (!(error instanceof AccessRefused)) throw error;
    throw error.statusCode === 401 ? new NotAuthenticated() : new NotAuthorized();
  }
}

function messageOf(request: EndpointRequest): ReadonlyMap<string, unknown> | Refusal {
  try {
    return request.requiredJsonObject();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
