import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import { names, oneOfTexts } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';
import type { RecordConflicts } from '../../records/record.store.js';
import { keyTexts } from '../../records/writes/upsert/key.texts.js';
import type { BulkRecord } from '../../records/writes/bulk/bulk.parts.js';
import type { PlacedInput } from '../../records/writes/bulk/bulk.writes.js';
import type { RecordInput } from '../../request/record.input.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { Conflict } from '../../wire/refusals.js';
import { changingOf } from '../write/upsert/changing.columns.js';
import { ConflictColumns, type ConflictSource } from '../write/upsert/conflict.columns.js';
import { conflictIndexOf } from '../write/upsert/conflict.index.js';
import { refuseIfInvalid, type BulkJudge } from './bulk.judge.js';

/** The ways to treat a record that is there already. */
export type OnConflict = 'refuse' | 'update' | 'ignore';

/** Parameters that say what becomes of records that are there already. */
export interface ConflictOptions {
  /**
   * The columns by whose values a record is there already: exactly those of one unique constraint, none of them null. Needed
   * where `onConflict` is `update` or `ignore`.
   */
  readonly conflictColumnNames?: readonly string[];
  /**
   * The fate of a record that is there already: the request is refused, the record is changed, or it is left and answered as
   * it is. Default `refuse`.
   */
  readonly onConflict?: OnConflict;
}

export const conflictChecks = {
  conflictColumnNames: names,
  onConflict: oneOfTexts('refuse', 'update', 'ignore'),
} as const satisfies ChecksOf<ConflictOptions>;

/** True if an endpoint does what an Upsert does: it needs the same rights. */
export function isUpserting({ onConflict = 'refuse' }: ConflictOptions): boolean {
  return onConflict !== 'refuse';
}

/** The fate of new records that are there already. Made once per endpoint. */
export class BulkConflict {
  /** True if they are left as they are. */
  readonly leaves: boolean;

  private constructor(
    readonly columns: ConflictColumns,
    /** The records that requests may be about. */
    readonly filter: RecordFilter,
    readonly index: RecordConflicts,
    onConflict: OnConflict,
    /** True if the later one of two records that are the same one is written after the other. */
    private readonly takesRepeated: boolean,
  ) {
    this.leaves = onConflict === 'ignore';
  }

  /**
   * Undefined where they are refused.
   *
   * @param takesRepeated true if a request may send a record twice, and writes one after the other. Default false
   * @throws ConfigurationError
   */
  static of(
    context: KindContext,
    model: Model,
    options: ConflictOptions & ConflictSource & Parameters<KindContext['filter']>[1],
    takesRepeated = false,
  ): BulkConflict | undefined {
    const { conflictColumnNames, onConflict } = options;
    if (conflictColumnNames === undefined && isUpserting(options))
      throw new ConfigurationError(context.owner, 'onConflict', `'${onConflict}' needs conflictColumnNames`);
    if (conflictColumnNames === undefined) return undefined;
    if (onConflict === undefined) {
      const problem = "need onConflict: 'update' or 'ignore'";
      throw new ConfigurationError(context.owner, 'conflictColumnNames', problem);
    }
    const columns = ConflictColumns.of(context, model, options);
    if (!isUpserting(options)) return undefined;
    const index = conflictIndexOf(context, model, columns);
    return new BulkConflict(columns, context.filter(model, options), index, onConflict, takesRepeated);
  }

  /** Refuses one of two records of a request that are the same one. @throws InvalidInput, Conflict */
  refuseRepeated(
    judge: BulkJudge,
    record: BulkRecord<RecordInput>,
    { place }: BulkRecord<RecordInput>,
  ): void {
    const { input } = record;
    if (this.takesRepeated) throw new Conflict(repeatedMessage(place));
    if (input !== undefined) judge.complain(input, this.columns.columns, () => repeatedMessage(place));
    refuseIfInvalid([record]);
  }

  /** The columns that a record gets which is there already. */
  changing(context: KindContext, model: Model, judge: BulkJudge): ReadonlySet<Column> {
    return this.leaves ? new Set() : changingOf(context, judge.columns, this.columns, model);
  }

  /** Complains about records that have the same values as an earlier one. */
  compare(judge: BulkJudge, inputs: readonly PlacedInput<RecordInput>[]): void {
    const places = new Map<string, string>();
    for (const { place, input } of inputs) {
      const key = this.columns.keyOf(input);
      if (key === undefined) continue;
      const text = JSON.stringify(keyTexts(key));
      const earlier = places.get(text);
      if (earlier === undefined) places.set(text, place);
      else judge.complain(input, this.columns.columns, () => repeatedMessage(earlier));
    }
  }

  /** Puts the values of the path into a record. */
  merge(
    members: ReadonlyMap<string, unknown>,
    { routingData }: EndpointRequest,
  ): ReadonlyMap<string, unknown> {
    return this.columns.merge(members, routingData);
  }
}

/** The complaint about a record that was sent before. @param place of the earlier one */
function repeatedMessage(place: string): string {
  return `the same value is sent in ${place}`;
}
