import type { Endpoint } from '../../endpoint/endpoint.js';
import { EndpointGroup } from '../../endpoint/endpoint.group.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { ColumnPath } from '../../model/model.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/** @throws ConfigurationError where a record may be called as the segment that the group has chosen for an endpoint */
export function refuseOwnSegment(context: KindContext, endpoint: Endpoint, { column }: ColumnPath): void {
  const group = context.groups.at(-1);
  const own = group instanceof EndpointGroup ? group.ownSegmentOf(endpoint) : undefined;
  if (own === undefined || column.type.complaint(column.type.fromText(own.segment)) !== undefined) return;
  const problem = `a record may have the ${column.name} '${own.segment}'; name the segment, e.g. '~${own.segment}'`;
  throw new ConfigurationError(context.owner, own.option, problem);
}
