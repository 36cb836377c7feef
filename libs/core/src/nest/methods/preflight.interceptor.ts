import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { concatMap, type Observable } from 'rxjs';
import { Preflight } from '../../http/answers/preflight.js';

/** Answers OPTIONS on the path of a method that is an endpoint. */
@Injectable()
export class PreflightInterceptor implements NestInterceptor {
  constructor(private readonly preflight: Preflight) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const native: unknown = context.switchToHttp().getRequest();
    return next.handle().pipe(concatMap(() => this.preflight.answer(native)));
  }
}
