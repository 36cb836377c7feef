import { HttpException } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { Exchange } from '../http/exchange.js';
import type { HttpEdge } from '../http/http.edge.js';
import { markMiddleware } from '../http/roads/own.layers.js';

type Next = (error?: unknown) => void;
type Middleware = (request: unknown, response: unknown, next: Next) => unknown;
type Register = (path: string, callback: Middleware) => unknown;

/** An adapter as far as it registers middleware of modules. */
interface Registering {
  createMiddlewareFactory(method: unknown): Register | Promise<Register>;
}

/**
 * Refusals by middleware of modules. Nest catches what such middleware throws, and answers it through the adapter's `reply`
 * as it answers for controllers: only who is at work with the request tells the two apart.
 */
export class MiddlewareRefusals {
  /** The requests that middleware is at work with. */
  readonly #busy = new WeakSet<Exchange>();

  constructor(
    adapter: AbstractHttpAdapter,
    private readonly edge: HttpEdge,
  ) {
    const registering = adapter as unknown as Registering;
    const make = registering.createMiddlewareFactory.bind(adapter);
    registering.createMiddlewareFactory = async (method) => {
      const register = await make(method);
      return (path, callback) => register(path, markMiddleware(this.#watched(callback)));
    };
  }

  /** Gives what middleware has thrown, as far as Nest tells it; undefined where an answer is not about that. */
  of(exchange: Exchange, body: unknown, statusCode: number | undefined): HttpException | undefined {
    if (statusCode === undefined || !this.#busy.delete(exchange)) return undefined;
    return new HttpException(body as string | Record<string, unknown>, statusCode);
  }

  #watched(callback: Middleware): Middleware {
    return (request, response, next) => {
      const exchange = this.edge.exchangeOf(request);
      this.#busy.add(exchange);
      return callback(request, response, (error) => {
        this.#busy.delete(exchange);
        next(error);
      });
    };
  }
}
