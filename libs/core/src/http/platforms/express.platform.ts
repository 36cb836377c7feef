import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { besideEarlier, isListed } from '../../wire/header.lines.js';
import { StreamBody } from '../../wire/stream.body.js';
import { watchFlow } from '../answers/stream.flow.js';
import { answeringMethod } from '../../endpoint/http.method.js';
import type { HttpEdge } from '../http.edge.js';
import type { Answer } from '../../wire/answer.js';
import { ExpressSide } from '../roads/express.side.js';
import { isMiddleware, markOwn } from '../roads/own.layers.js';
import type { HttpPlatform } from './http.platform.js';

/** A layer of Express's router, as far as it tells whether a path has a route. */
interface ExpressLayer {
  readonly route?: {
    readonly path: unknown;
    readonly methods: Readonly<Record<string, boolean>>;
    readonly stack: readonly { readonly handle: object }[];
  };
  match(path: string): boolean;
}

interface ExpressApplication {
  readonly router?: { readonly stack: readonly ExpressLayer[] };
  query(...parameters: readonly unknown[]): unknown;
  enabled(setting: string): boolean;
}

export const expressPlatform: HttpPlatform = {
  sideOf: (adapter, edge) => new ExpressSide(adapter, edge, beginning(adapter), send),

  /** Nest registers its body parsers later, so this middleware stands before them; they skip a request that was read. */
  collectBodies(adapter, edge, pipeline) {
    const collect = markOwn(
      (request: IncomingMessage, _response: ServerResponse, next: (error?: unknown) => void) => {
        const exchange = edge.exchangeOf(request);
        if (request.url !== exchange.url) edge.followPath(exchange);
        // Requests for endpoints are most of them, and known to be.
        const isOurs = exchange.route.match?.kind === 'endpoint' || edge.isTaken(exchange);
        if (!isOurs) next();
        else
          pipeline.collect(exchange, request, (refusal) => {
            // What is left of its body is nobody's; this is what parsers of Express look at.
            if (exchange.hasBody && !request.readableEnded) Reflect.set(request, 'finished', true);
            next(refusal);
          });
      },
    );
    adapter.use(collect);
  },

  send: (response, answer, requestId) => {
    send(response as ServerResponse, answer, requestId);
  },

  arrangeRoutes: () => undefined,

  registerQuery: (adapter, parameters) => adapter.getInstance<ExpressApplication>().query(...parameters),

  requestOf: (response) => (response as ServerResponse).req,

  answersOutsidePrefix: false,

  isUnknown(adapter, native, edge) {
    const { baseUrl, path, method } = native as Readonly<Record<'baseUrl' | 'path' | 'method', string>>;
    const { router } = adapter.getInstance<ExpressApplication>();
    // Express takes the path of middleware away from the request that this gets.
    const whole = baseUrl === '' ? path : `${baseUrl}${path}`;
    return router?.stack.some((layer) => isUsersRoute(layer, method, edge) && matches(layer, whole)) !== true;
  },

  trustsProxy: (adapter) => adapter.getInstance<ExpressApplication>().enabled('trust proxy'),

  warning: () => undefined,
};

/** Makes the function that does what Express does before anybody sees a request. Its settings may change at any time. */
function beginning(adapter: AbstractHttpAdapter): (response: ServerResponse) => void {
  const application = adapter.getInstance<ExpressApplication>();
  return (response) => {
    if (application.enabled('x-powered-by')) response.setHeader('X-Powered-By', 'Express');
  };
}

/** Not `response.send`, which would change the charset's spelling and hash every body for an ETag. */
function send(
  raw: ServerResponse,
  { statusCode, headers, contentType, body, entityTag, location }: Answer,
  requestId: string,
): void {
  raw.statusCode = statusCode;
  if (contentType !== '') raw.setHeader('Content-Type', contentType);
  raw.setHeader('X-Request-Id', requestId);
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (key === 'set-cookie') raw.appendHeader(name, value);
    else raw.setHeader(name, isListed(key) ? besideEarlier(value, raw.getHeader(key)) : value);
  }
  if (entityTag !== undefined) raw.setHeader('ETag', entityTag);
  if (location !== undefined) raw.setHeader('Location', location);
  if (body instanceof StreamBody) {
    flow(body, raw);
    return;
  }
  // Node works the length out itself, except for an answer whose body it leaves out. Of a 304, and of what another
  // server said without a body, it would be the length that the whole answer has, which nobody knows here (RFC 9110, 8.6).
  if (raw.req.method === 'HEAD' && statusCode !== 304 && statusCode !== 204 && body !== '')
    raw.setHeader('Content-Length', Buffer.byteLength(body));
  raw.end(body);
}

function flow(body: StreamBody, response: ServerResponse): void {
  watchFlow(body, response);
  if (body.bytes !== undefined) response.setHeader('Content-Length', body.bytes);
  if (response.req.method !== 'HEAD') body.readable.pipe(response);
  else response.end();
}

/** Nest registers middleware of modules as routes, too; that is no controller. */
function isUsersRoute({ route }: ExpressLayer, method: string, edge: HttpEdge): boolean {
  if (route === undefined) return false;
  const { path, methods, stack } = route;
  if (stack.every(({ handle }) => isMiddleware(handle))) return false;
  const answers = methods['_all'] === true || methods[answeringMethod(method).toLowerCase()] === true;
  return answers && !/^\/?\{?\/?\*\w*\}?$/.test(String(path)) && !edge.table.owns(String(path));
}

/** Express throws for a malformed escape in a parameter. */
function matches(layer: ExpressLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return true;
  }
}
