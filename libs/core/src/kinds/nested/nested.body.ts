import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RecordInput } from '../../request/record.input.js';
import type { RelationLevel } from './nested.plan.js';
import { NestedReader } from './nested.reader.js';

type Body = ReadonlyMap<string, unknown>;

/**
 * Reads a body that may have related records, and asks the gates of the endpoints by whose rules these are written.
 *
 * @param level undefined where bodies have none
 * @param read reads what is left of the body: the record itself
 * @throws NotAuthorized
 */
export async function readNested(
  level: RelationLevel | undefined,
  body: Body,
  request: EndpointRequest,
  read: (own: Body) => RecordInput,
): Promise<RecordInput> {
  if (level === undefined) return read(body);
  const reader = new NestedReader(request);
  const { own, plans } = level.read(body, '', reader);
  await reader.authorize();
  const input = read(own);
  level.keep(input, plans);
  for (const [place, message] of reader.complaints) input.complain(place, message);
  input.hasPlaces = reader.complaints.size > 0;
  return input;
}
