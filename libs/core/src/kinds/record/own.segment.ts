import type { Endpoint } from '../../endpoint/endpoint.js';
import { EndpointGroup } from '../../endpoint/endpoint.group.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import { typeComplaint, type Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/** @throws ConfigurationError where a record beside an endpoint may be called as the segment that the group has chosen for it */
export function refuseOwnSegment(context: KindContext, endpoint: Endpoint, { columns }: Model): void {
  const group = context.groups.at(-1);
  const own = group instanceof EndpointGroup ? group.ownSegmentOf(endpoint) : undefined;
  if (own === undefined) return;
  for (const { pattern } of context.neighbours()) {
    const segment = pattern.segments.at(-1);
    if (!context.pattern.overlap(pattern) || segment === undefined || !('parameter' in segment)) continue;
    const column = columns.get(segment.parameter);
    if (column === undefined || !mayBe(column, own.segment)) continue;
    const problem = `a record may have '${own.segment}' as its ${column.name}; name the segment, e.g. '~${own.segment}'`;
    throw new ConfigurationError(context.owner, own.option, problem);
  }
}

/** True if a column may have a text as its value. */
function mayBe(column: Column, text: string): boolean {
  const { length = text.length } = column.property;
  return text.length <= length && typeComplaint(column, column.type.fromText(text)) === undefined;
}
