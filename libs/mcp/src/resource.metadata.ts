import { ConfigurationError } from '@nest-endpoints/core';
import type { AbstractHttpAdapter } from '@nestjs/core';

/** The facts about a protected resource (RFC 9728). */
export interface ResourceOptions {
  /** The url of the server, as clients know it and as tokens name it. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[];
}

const wellKnown = '/.well-known/oauth-protected-resource';

const served = new WeakMap<object, Set<string>>();

/** Tells clients whom to ask for a token (RFC 9728). */
export class ResourceMetadata {
  /** The url of the document. */
  readonly url: string;
  readonly #path: string;
  readonly #document: string;

  constructor(private readonly options: ResourceOptions) {
    const { resource, authorizationServers, scopes } = options;
    const { origin, pathname, search } = new URL(resource);
    this.#path = `${wellKnown}${pathname === '/' ? '' : pathname.replace(/\/$/, '')}`;
    this.url = `${origin}${this.#path}${search}`;
    this.#document = JSON.stringify({
      resource,
      ...(authorizationServers.length === 0 ? {} : { authorization_servers: authorizationServers }),
      ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
    });
  }

  /** The value of `WWW-Authenticate` for who has no token, or one that does not do. */
  challenge(outcome: 'notAuthenticated' | 'notAuthorized'): string {
    const { scopes } = this.options;
    return `Bearer ${[
      ...(outcome === 'notAuthorized' ? ['error="insufficient_scope"'] : []),
      ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
      `resource_metadata="${this.url}"`,
    ].join(', ')}`;
  }

  /** Serves the document where clients look for it, beside all prefixes and guards. @throws ConfigurationError */
  serve(owner: string, adapter: AbstractHttpAdapter): void {
    const paths = served.get(adapter) ?? new Set();
    if (paths.has(this.#path))
      throw new ConfigurationError(owner, 'resource', `${this.#path} is served by another Mcp already`);
    served.set(adapter, paths.add(this.#path));
    adapter.get(this.#path, (_request: unknown, response: unknown) => {
      adapter.setHeader(response, 'Content-Type', 'application/json; charset=utf-8');
      adapter.setHeader(response, 'Access-Control-Allow-Origin', '*');
      adapter.setHeader(response, 'Cache-Control', 'max-age=3600');
      adapter.reply(response, this.#document, 200);
    });
  }
}
