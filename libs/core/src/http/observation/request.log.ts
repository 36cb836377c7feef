import { Logger } from '@nestjs/common';
import type { ObservedRequest, RequestObserver } from '../../endpoint/request/request.observer.js';

/** Writes a line for each request. Nest's loggers print what stands behind the text in their own form, JSON for one. */
export class RequestLog implements RequestObserver {
  readonly #logger = new Logger('Endpoints');

  requestEnded(request: ObservedRequest): void {
    const { requestId, method, route, kind, statusCode, status, isComplete, statements } = request;
    const { operations, deprecated } = request;
    this.#logger.log(`${method} ${route ?? 'of no endpoint'} ${status}`, {
      method,
      route,
      kind,
      statusCode,
      status,
      isComplete,
      duration: rounded(request.duration),
      statements,
      statementTime: rounded(request.statementTime),
      ...(operations === undefined ? {} : { operations }),
      ...(deprecated ? { deprecated } : {}),
      requestId,
    });
  }
}

/** A microsecond is fine enough. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
