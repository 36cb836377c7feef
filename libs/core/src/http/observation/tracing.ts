import { createRequire } from 'node:module';
import type * as OpenTelemetry from '@opentelemetry/api';
import type { EndpointFacts } from '../../endpoint/endpoint.context.js';
import type { Stage } from '../../endpoint/request/request.observer.js';
import { Refusal } from '../../wire/refusals.js';
import { isInstalled } from '../../options/missing.package.js';

const require = createRequire(import.meta.url);
const packageName = '@opentelemetry/api';

/** Tells OpenTelemetry of stages and statements, as spans within the span that is active. */
export class Tracing {
  readonly #api: typeof OpenTelemetry;
  readonly #tracer: OpenTelemetry.Tracer;

  private constructor(api: typeof OpenTelemetry) {
    this.#api = api;
    this.#tracer = api.trace.getTracer('@nest-endpoints/core');
  }

  /** Undefined where nobody has registered an SDK by now: then there is nothing to tell, and nothing to pay. */
  static registered(): Tracing | undefined {
    if (!isInstalled(require, packageName)) return undefined;
    const api = require(packageName) as typeof OpenTelemetry;
    const tracing = new Tracing(api);
    return tracing.#isHeard ? tracing : undefined;
  }

  /** Without an SDK spans have no context. The one that is tried is never ended, so nobody is told of it. */
  get #isHeard(): boolean {
    const span = this.#tracer.startSpan('probe', { root: true });
    return this.#api.trace.isSpanContextValid(span.spanContext());
  }

  /** Runs a stage within a span. What is not the client's fault is an error; what it was stands in the log alone. */
  during<T>(stage: Stage, { kind, path }: EndpointFacts, work: () => T | Promise<T>): Promise<T> {
    const attributes = { 'http.route': path, 'nest_endpoints.kind': kind };
    return this.#tracer.startActiveSpan(stage, { attributes }, async (span) => {
      try {
        return await work();
      } catch (error) {
        const isRefused = error instanceof Refusal && error.status !== 'failure';
        if (!isRefused) span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  /** A span of what is over by now. Statements are told without their text, which may hold values. @param took in milliseconds */
  past(name: Stage | 'statement', took: number): void {
    const end = performance.timeOrigin + performance.now();
    const kind = name === 'statement' ? this.#api.SpanKind.CLIENT : this.#api.SpanKind.INTERNAL;
    this.#tracer.startSpan(name, { startTime: end - took, kind }).end(end);
  }
}
