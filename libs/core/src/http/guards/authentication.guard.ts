import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { EndpointGateway } from '../endpoint.gateway.js';
import { Identities } from '../identities.js';
import { rawRequest } from '../raw.request.js';

/** Asks the endpoint's authentication who sent the request, and keeps the answer for the stages after it. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly gateway: EndpointGateway,
    private readonly identities: Identities,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const native: unknown = context.switchToHttp().getRequest();
    const responder = this.gateway.responderOf(native);
    if (responder.kind === 'miss') return false;
    const { method, headers } = responder.request;
    const { authentication } = responder.endpoint.style.settings;
    this.identities.set(rawRequest(native), await authentication.authenticate({ method, headers, native }));
    return true;
  }
}
