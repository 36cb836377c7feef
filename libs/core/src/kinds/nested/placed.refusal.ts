import { refusalOf } from '../../database/errors/database.error.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RecordInput } from '../../request/record.input.js';
import { Conflict, RefusedValue } from '../../wire/refusals.js';
import { refuseIfInvalid, type BulkJudge } from '../bulk/bulk.judge.js';
import type { RelatedRules } from './related.rules.js';

/** Related records that are written at once. */
interface PlacedRecords {
  readonly rules: RelatedRules & { readonly judge?: BulkJudge };
  readonly request: EndpointRequest;
  readonly inputs: readonly { readonly place: string; readonly input: RecordInput | undefined }[];
}

/**
 * Runs a write of related records. What the database refuses of it is told of the place that it is about: of a column, where that
 * is known.
 */
export async function placed<T>(records: PlacedRecords, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const conflict =
      error instanceof Conflict && !(error instanceof RefusedValue) ? undefined : refusalOf(error);
    if (!(conflict instanceof Conflict)) throw error;
    await blame(error, records);
    const [first = { place: '' }] = records.inputs;
    const place = records.inputs.length === 1 ? first.place : first.place.split('.').slice(0, -1).join('.');
    throw new Conflict(`${place}: ${conflict.message}`, { cause: error });
  }
}

/** Complains about the only record, or about the first that has the same values as one before. @throws InvalidInput */
async function blame(
  error: unknown,
  { rules: { context, model, judge }, request, inputs }: PlacedRecords,
): Promise<void> {
  const [first] = inputs;
  const values = first?.input?.values ?? new Map();
  const refusal = context.store(model).refusalOf(error);
  const found = await refusal?.complaintIn(request.session, values);
  if (found === undefined || judge === undefined) return;
  const seen = new Set<string>();
  const refused = inputs.find(({ input }) => {
    const text = JSON.stringify(found.columns.map((column) => input?.values.get(column) ?? null));
    const isSeen = seen.has(text);
    seen.add(text);
    return isSeen || inputs.length === 1;
  });
  if (refused?.input === undefined) return;
  judge.complain(refused.input, found.columns, found.complaint);
  refuseIfInvalid([refused]);
}
