import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { NativeSource } from '../../endpoint/request/endpoint.request.js';
import type { RoutePattern } from '../../endpoint/route.pattern.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import type { WriteAnswer } from '../answers/answer.sender.js';
import type { CompiledEndpoint } from '../compiled.endpoint.js';
import type { HttpEdge } from '../http.edge.js';
import { addressIn } from '../../endpoint/request/request.address.js';
import { mayTake } from './foreign.route.js';
import { isMiddleware, isOwn, leafOf } from './own.layers.js';
import type { PlatformSide, RequestListener } from './platform.side.js';

type Named = ((...parameters: never[]) => unknown) & { readonly name: string };

/** A route of Express's router. */
interface ExpressRoute {
  readonly path: unknown;
  readonly methods: Readonly<Record<string, boolean>>;
  readonly stack: readonly { readonly handle: Named }[];
}

/** A layer of Express's router: a route, or a function that stands around what comes after it. */
export interface ExpressLayer {
  readonly handle: Named;
  readonly route?: ExpressRoute;
}

interface ExpressApplication {
  readonly router?: { readonly stack: readonly ExpressLayer[]; readonly params?: object };
  readonly request: object;
  readonly response: object;
  enabled(setting: string): boolean;
}

/** An adapter as far as it tells what it was given to do. */
interface Adapter {
  readonly onRequestHook?: unknown;
  readonly onResponseHook?: unknown;
}

/** Methods of Nest's adapter that register its own parsers. A body of ours was read before these see it. */
const parserMethods = ['registerParserMiddleware', 'useBodyParser'] as const;

/** Express, as the straight road has to know it that leads past it. */
export class ExpressSide implements PlatformSide, NativeSource {
  readonly answersHead = true;
  readonly source = this;
  readonly growing: PlatformSide['growing'];
  readonly #adapter: Adapter;
  readonly #application: ExpressApplication;
  /** The parsers that Nest has registered, behind what collects our bodies. */
  readonly #parsers = new WeakSet<object>();

  constructor(
    adapter: AbstractHttpAdapter,
    private readonly edge: HttpEdge,
    readonly begin: PlatformSide['begin'],
    readonly write: WriteAnswer<ServerResponse>,
  ) {
    this.#adapter = adapter as unknown as Adapter;
    this.#application = adapter.getInstance<ExpressApplication>();
    this.growing = [
      [adapter, ['use', 'enableCors', 'useBodyParser', 'setOnRequestHook', 'setOnResponseHook']],
      [this.#application, ['use', 'param']],
    ];
    this.#watchParsers();
  }

  get kept(): PlatformSide['kept'] {
    return this.#application.router ?? { stack: [] };
  }

  listenerOf(server: Server): RequestListener | undefined {
    const { listeners, application } = {
      listeners: server.listeners('request'),
      application: this.#application,
    };
    return listeners.find((listener): listener is RequestListener => (listener as unknown) === application);
  }

  reasonAgainst({ leaf }: CompiledEndpoint, patterns: readonly RoutePattern[]): string | undefined {
    const { onRequestHook, onResponseHook } = this.#adapter;
    if (onRequestHook !== undefined || onResponseHook !== undefined) return 'the adapter has a hook';
    if (Object.keys(this.#application.router?.params ?? {}).length > 0) return 'app.param was called';
    const last = this.#stack.findLastIndex((layer) =>
      handlersOf(layer).some((handle) => leafOf(handle) === leaf),
    );
    if (last === -1) return 'Express has no route for it';
    for (const layer of this.#stack.slice(0, last)) {
      const reason = this.#reason(layer, leaf, patterns);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Makes Express's request of Node's, as Express does for all. */
  nativeOf(raw: unknown): unknown {
    const request = raw as IncomingMessage & Record<string, unknown>;
    const { response, route } = this.edge.exchangeOf(request);
    if (response === undefined || Object.getPrototypeOf(request) === this.#application.request)
      return request;
    const parameters = route.match?.parameters ?? {};
    const { url = '/' } = request;
    Object.setPrototypeOf(request, this.#application.request);
    Object.setPrototypeOf(response, this.#application.response);
    const answer = response as ServerResponse & { locals?: object };
    answer.locals ??= Object.create(null) as object;
    const params = Object.assign(Object.create(null) as object, parameters);
    Object.assign(request, { res: response, baseUrl: '', originalUrl: url, params, body: undefined });
    request['route'] = this.#routeOf(route.match?.kind === 'endpoint' ? route.match.leaf : undefined);
    return request;
  }

  /** Express looks for a proxy where it was told of one; else the address is the socket's. */
  addressOf(raw: unknown): string | undefined {
    const trusts = this.#application.enabled('trust proxy');
    return addressIn(trusts ? this.nativeOf(raw) : raw);
  }

  get #stack(): readonly ExpressLayer[] {
    return this.#application.router?.stack ?? [];
  }

  #routeOf(leaf: RouteLeaf | undefined): ExpressRoute | undefined {
    if (leaf === undefined) return undefined;
    return this.#stack.find((layer) => handlersOf(layer).some((handle) => leafOf(handle) === leaf))?.route;
  }

  #reason(layer: ExpressLayer, leaf: RouteLeaf, patterns: readonly RoutePattern[]): string | undefined {
    const { handle, route } = layer;
    if (route === undefined) {
      if (isOwn(handle) || this.#parsers.has(handle) || isNests(handle)) return undefined;
      return `middleware stands before it (${handle.name || 'a function without a name'})`;
    }
    const handlers = handlersOf(layer);
    // Middleware of modules is judged as modules; the route table knows which of our endpoints takes a request.
    if (handlers.every((one) => isMiddleware(one) || leafOf(one) !== undefined)) return undefined;
    const isForAll = route.methods['_all'] === true;
    const names = Object.keys(route.methods).map((name) => name.toUpperCase());
    const foreign = { path: route.path, methods: isForAll ? undefined : new Set(names) };
    if (!mayTake(foreign, patterns, answeredBy(leaf))) return undefined;
    return `the route '${String(route.path)}' stands before it`;
  }

  #watchParsers(): void {
    const adapter = this.#adapter as unknown as Record<string, (...parameters: unknown[]) => unknown>;
    for (const name of parserMethods) {
      const register = adapter[name]?.bind(adapter);
      if (register === undefined) continue;
      adapter[name] = (...parameters) => {
        const before = this.#stack.length;
        const result = register(...parameters);
        for (const { handle } of this.#stack.slice(before)) this.#parsers.add(handle);
        return result;
      };
    }
  }
}

function handlersOf({ route }: ExpressLayer): readonly Named[] {
  return route?.stack.map(({ handle }) => handle) ?? [];
}

/** The methods of requests that an endpoint answers. */
export function answeredBy({ endpoint: { requestMethods } }: RouteLeaf): readonly string[] {
  return requestMethods.includes('GET') ? [...requestMethods, 'HEAD'] : requestMethods;
}

/** True for the function of Nest's adapter that calls its two hooks, which has no name of its own. */
function isNests(handle: Named): boolean {
  const text = String(handle);
  return handle.name === '' && text.includes('this.onResponseHook') && text.includes('this.onRequestHook');
}
