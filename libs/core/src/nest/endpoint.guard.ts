import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Pipeline } from '../http/pipeline.js';

/** Guard of every endpoint: lets requests through that the route table sent here, and whose senders may use it. */
@Injectable()
export class EndpointGuard implements CanActivate {
  constructor(private readonly pipeline: Pipeline) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return this.pipeline.admit(context.getArgByIndex(0), context.getClass());
  }
}
