import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { concatMap, type Observable } from 'rxjs';
import { NotFound } from '../../wire/refusals.js';
import { Pipeline } from '../../http/pipeline.js';
import { HttpEdge } from '../../http/http.edge.js';
import { MethodEndpoints } from './method.endpoints.js';

/** Runs the endpoint behind a method of a controller, once Nest has told which instance is meant. */
@Injectable()
export class MethodInterceptor implements NestInterceptor {
  constructor(
    private readonly edge: HttpEdge,
    private readonly pipeline: Pipeline,
    private readonly endpoints: MethodEndpoints,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const native: unknown = context.getArgByIndex(0);
    const responder = this.edge.responderOf(native);
    if (responder.kind === 'miss') throw new NotFound();
    const { leaf } = responder.endpoint;
    // Routers match more than the contract does, and may have chosen another method of the controller.
    if (!this.endpoints.isHandlerOf(context.getHandler(), leaf)) throw new NotFound();
    return next.handle().pipe(concatMap(() => this.pipeline.handle(native)));
  }
}
