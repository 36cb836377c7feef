import { Public } from '../../access/authentication.js';
import type { CompletedKind } from '../../endpoint/completed.kind.js';
import type { EndpointAccess } from '../../endpoint/endpoint.access.js';
import type { EndpointModels } from '../../endpoint/endpoint.models.js';
import type { KindContext, RulingEndpoint } from '../../endpoint/kind.context.js';
import type { RouteLeaf } from '../../routing/route.tree.js';

/** Makes what other endpoints see of one by whose rules they write. */
export function rulingEndpoint(
  { endpoint, pattern }: RouteLeaf,
  context: KindContext,
  access: EndpointAccess,
  models: EndpointModels,
  { rules }: CompletedKind,
): RulingEndpoint {
  const { authentication } = context.settings;
  const { entity } = models;
  const isPublic = authentication.constructor === Public;
  const [method = 'POST'] = endpoint.requestMethods;
  const to = { method, path: pattern.toString() };
  return {
    endpoint,
    options: endpoint.options,
    rules,
    context,
    authentication,
    entity,
    part: (whole) =>
      whole.partFor(to, isPublic ? undefined : whole.authorizationData, (part) =>
        access.viewerOf(part, entity),
      ),
    authorize: (part) => access.authorize(part),
  };
}
