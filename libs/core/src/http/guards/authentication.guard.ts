import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { EndpointGateway } from '../endpoint.gateway.js';

/** Asks the endpoint's authentication who sent the request, and keeps the answer for the stages after it. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(private readonly gateway: EndpointGateway) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const native: unknown = context.switchToHttp().getRequest();
    const responder = this.gateway.responderOf(native);
    if (responder.kind === 'miss') return false;
    const { request, endpoint } = responder;
    await endpoint.access.authenticate(request);
    return true;
  }
}
