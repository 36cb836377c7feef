import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { concatMap, type Observable } from 'rxjs';
import { HttpEdge } from '../http/http.edge.js';
import { plainAnswer } from '../http/answers/answer.writer.js';
import { PlainEnvelope } from './envelope.interceptor.js';

/** Writes an envelope around a plain value in the endpoint's casing. The value itself is not cased. */
@Injectable()
export class CasingInterceptor implements NestInterceptor {
  constructor(private readonly edge: HttpEdge) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(
      concatMap(async (reply) => {
        const responder = this.edge.responderOf(context.getArgByIndex(0));
        if (!(reply instanceof PlainEnvelope) || responder.kind === 'miss') return reply;
        return plainAnswer(responder, reply);
      }),
    );
  }
}
