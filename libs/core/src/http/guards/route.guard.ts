import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NotFound } from '../../wire/refusals.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import { HttpEdge } from '../http.edge.js';
import { rawRequest } from '../raw.request.js';

/**
 * Lets a request through only to the endpoint that the route table chose. The platforms' routers match more than the
 * contract does: Express ignores letter case, Fastify prefers fixed words.
 */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(
    private readonly edge: HttpEdge,
    private readonly directory: EndpointDirectory,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { match } = this.edge.routeOf(rawRequest(context.switchToHttp().getRequest()));
    if (match?.kind === 'endpoint' && this.directory.isControllerOf(context.getClass(), match.leaf))
      return true;
    throw new NotFound();
  }
}
