import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { PlainReply } from '../endpoint/reply.js';
import type { HeaderLines } from '../wire/answer.js';
import type { Pagination } from '../wire/pagination.js';

/** The standard envelope around a plain value, still under the contract's own names. */
export class PlainEnvelope {
  readonly status = 'success';
  readonly error = '';

  constructor(
    readonly data: unknown,
    readonly pagination: Pagination | undefined,
    readonly statusCode: number,
    readonly headers: HeaderLines,
    readonly entityTag: string | undefined,
    readonly location: string | undefined,
  ) {}
}

/** Puts the standard envelope around plain replies. Replies in text carry theirs already. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next
      .handle()
      .pipe(
        map((reply) =>
          reply instanceof PlainReply
            ? new PlainEnvelope(
                reply.data,
                reply.pagination,
                reply.statusCode,
                reply.headers,
                reply.entityTag,
                reply.location,
              )
            : reply,
        ),
      );
  }
}
