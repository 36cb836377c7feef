import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { EndpointGateway } from '../endpoint.gateway.js';

/** Lets a request through when the gate of every authorization of the endpoint and its groups says yes. */
@Injectable()
export class AuthorizationGuard implements CanActivate {
  constructor(private readonly gateway: EndpointGateway) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const native: unknown = context.switchToHttp().getRequest();
    const responder = this.gateway.responderOf(native);
    if (responder.kind === 'miss') return false;
    await responder.endpoint.access.authorize(responder.request);
    return true;
  }
}
