import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { besideEarlier, isListed } from '../../wire/header.lines.js';
import { StreamBody } from '../../wire/stream.body.js';
import { watchFlow } from '../answers/stream.flow.js';
import { httpMethods } from '../../endpoint/http.method.js';
import { RegistrationPlan } from '../../routing/registration.plan.js';
import { FastifySide } from '../roads/fastify.side.js';
import { writeAsFastify } from '../roads/fastify.answer.js';
import { markOwn } from '../roads/own.layers.js';
import type { HttpPlatform } from './http.platform.js';

interface RawRequest extends IncomingMessage {
  [sentHeaders]?: ReadonlyMap<string, string | undefined>;
}

interface FastifyRequest {
  readonly raw: RawRequest;
  readonly is404: boolean;
}

interface FastifyReply {
  readonly request: FastifyRequest;
  readonly raw: ServerResponse;
  code(statusCode: number): this;
  header(name: string, value: string): this;
  getHeader(name: string): number | string | readonly string[] | undefined;
  send(body: string | Buffer | Readable | undefined): unknown;
}

type Done = (error: Error | null, value?: unknown) => void;

type PreParsing = (request: FastifyRequest, reply: unknown, payload: unknown, done: Done) => void;
type PreValidation = (request: FastifyRequest, reply: unknown, done: Done) => void;

interface FastifyInstance {
  readonly initialConfig: { readonly routerOptions?: { readonly maxParamLength?: number } };
  addHook(name: 'preParsing', hook: PreParsing): void;
  addHook(name: 'preValidation', hook: PreValidation): void;
  readonly supportedMethods: readonly string[];
  addHttpMethod(method: string, options: { readonly hasBody: boolean }): unknown;
  addContentTypeParser(type: string, parser: (request: unknown, payload: unknown, done: Done) => void): void;
}

/** The method through which Nest's adapter registers all routes, which is not public. */
interface InjectingAdapter {
  injectRouteOptions(method: string, ...parameters: readonly unknown[]): unknown;
}

/** A content type nobody sends: under it Fastify calls our parser, which leaves the body alone. */
const collected = 'application/x-nest-endpoints-collected';

/** The longest path parameter Fastify takes; Node limits the whole request head to 16 KiB anyway. */
const maxParamLength = 16_384;

/** The key under which a request keeps the headers that its client sent, while it goes under {@link collected}. */
const sentHeaders = Symbol('sent headers');

/** Fastify parses no body of these. */
const bodiless: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

const sides = new WeakMap<AbstractHttpAdapter, FastifySide>();

export const fastifyPlatform: HttpPlatform = {
  sideOf(adapter, _edge, root) {
    const side = new FastifySide(adapter, root);
    sides.set(adapter, side);
    return side;
  },

  /** Fastify judges a body by its content type before any guard, so ours are collected first and renamed meanwhile. */
  collectBodies(adapter, edge, pipeline) {
    const instance = adapter.getInstance<FastifyInstance>();
    instance.addContentTypeParser(collected, (_request, _payload, done) => {
      done(null, undefined);
    });
    const collect: PreParsing = (request, _reply, payload, done) => {
      const { raw, is404 } = request;
      const exchange = edge.exchangeOf(raw);
      if (raw.url !== exchange.url) edge.followPath(exchange);
      if (!edge.isTaken(exchange) && !(is404 && edge.answersMiss(exchange))) {
        done(null, payload);
        return;
      }
      pipeline.collect(exchange, request, (refusal) => {
        if (refusal !== undefined) {
          done(refusal);
          return;
        }
        if (!bodiless.has(raw.method)) {
          replaceHeader(raw, 'content-type', collected);
          // Fastify 5.11 refuses a QUERY without a body, which may have its conditions in the URL.
          if (raw.method === 'QUERY' && !exchange.hasBody) replaceHeader(raw, 'content-length', '1');
        }
        done(null, payload);
      });
    };
    const restore: PreValidation = ({ raw }, _reply, done) => {
      for (const [name, value] of raw[sentHeaders] ?? [])
        if (value === undefined) Reflect.deleteProperty(raw.headers, name);
        else raw.headers[name] = value;
      done(null);
    };
    instance.addHook('preParsing', markOwn(collect));
    instance.addHook('preValidation', markOwn(restore));
  },

  /** Nest registers every route through the adapter's methods; ours go in as the route plan has them. */
  arrangeRoutes(adapter, edge) {
    const plan = new RegistrationPlan(() => edge.table);
    const methods = adapter as unknown as Record<string, (...parameters: unknown[]) => unknown>;
    for (const method of [...httpMethods, 'OPTIONS'] as const) {
      const name = method.toLowerCase();
      const register = methods[name]?.bind(adapter);
      if (register === undefined) continue;
      methods[name] = (path: unknown, ...rest: unknown[]): unknown => {
        if (typeof path !== 'string') return register(path, ...rest);
        return plan.pathsOf(method, path).map((planned) => register(planned, ...rest))[0];
      };
    }
  },

  registerQuery(adapter, parameters) {
    const instance = adapter.getInstance<FastifyInstance>();
    if (!instance.supportedMethods.includes('QUERY')) instance.addHttpMethod('QUERY', { hasBody: true });
    return (adapter as unknown as InjectingAdapter).injectRouteOptions('QUERY', ...parameters);
  },

  send(response, answer, requestId) {
    if (!isReply(response)) {
      writeAsFastify(response as ServerResponse, answer, requestId);
      return;
    }
    const { statusCode, headers, contentType, body, entityTag, location } = answer;
    const reply = response.code(statusCode).header('X-Request-Id', requestId);
    if (contentType !== '') reply.header('Content-Type', contentType);
    for (const [name, value] of headers) {
      const key = name.toLowerCase();
      reply.header(name, isListed(key) ? besideEarlier(value, reply.getHeader(key)) : value);
    }
    if (entityTag !== undefined) reply.header('ETag', entityTag);
    if (location !== undefined) reply.header('Location', location);
    // Of an answer that is sent without its body, Fastify would tell the length of an empty one (RFC 9110, 8.6): its
    // routes for HEAD do so for everything but streams.
    const bodiless = reply.request.raw.method === 'HEAD' ? Readable.from([]) : undefined;
    if (body instanceof StreamBody) {
      watchFlow(body, reply.raw);
      if (body.bytes !== undefined) reply.header('Content-Length', String(body.bytes));
      reply.send(bodiless ?? body.readable);
    } else reply.send(statusCode === 304 || body === '' ? bodiless : body);
  },

  requestOf: (response) => (isReply(response) ? response.request : (response as ServerResponse).req),

  answersOutsidePrefix: true,

  isUnknown(adapter, native, edge) {
    if (isRequest(native)) return native.is404;
    const { method, route } = edge.exchangeOf(native);
    return sides.get(adapter)?.hasOthers(method ?? 'GET', route.path.segments) === false;
  },

  trustsProxy(adapter) {
    const instance = adapter.getInstance<object>();
    const key = Object.getOwnPropertySymbols(instance).find(
      ({ description }) => description === 'fastify.options',
    );
    const options: unknown = key && Reflect.get(instance, key);
    return Boolean((Object(options) as { readonly trustProxy?: unknown }).trustProxy);
  },

  warning(adapter) {
    const { routerOptions } = adapter.getInstance<FastifyInstance>().initialConfig;
    if ((routerOptions?.maxParamLength ?? 0) >= maxParamLength) return undefined;
    return 'Fastify answers path parameters of more than 100 characters itself: use new FastifyAdapter(endpointsFastifyOptions())';
  },
};

/** False for the response that Fastify gives to middleware: Node's. */
function isReply(response: unknown): response is FastifyReply {
  return 'request' in (response as object);
}

/** False for the request that Fastify gives to middleware: Node's. */
function isRequest(native: unknown): native is FastifyRequest {
  return 'is404' in (native as object);
}

/** Gives a request another header until it is validated. */
function replaceHeader(raw: RawRequest, name: 'content-type' | 'content-length', value: string): void {
  raw[sentHeaders] = new Map(raw[sentHeaders]).set(name, raw.headers[name]);
  raw.headers[name] = value;
}

/**
 * The options of Fastify that only its constructor takes.
 *
 * @example new FastifyAdapter(endpointsFastifyOptions())
 */
export function endpointsFastifyOptions(): {
  routerOptions: { ignoreTrailingSlash: boolean; ignoreDuplicateSlashes: boolean; maxParamLength: number };
  return503OnClosing: boolean;
} {
  return {
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength },
    // Of its own, and outside of the envelope: a request that came in before the end is answered like any other.
    return503OnClosing: false,
  };
}
