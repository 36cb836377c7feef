import type { KindContext } from '../../endpoint/kind.context.js';
import type { Model } from '../../model/model.js';
import type { PlacedChange, PlacedInput, PlacedTarget } from '../../records/writes/bulk/bulk.writes.js';
import type { RecordKey, StoredRecord } from '../../records/record.store.js';
import type { RecordInput } from '../../request/record.input.js';
import type { Outcome } from '../../wire/outcome.table.js';
import type { NestedReader } from './nested.reader.js';
import type { CreateRules, DeleteRules, UpdateRules } from './related.rules.js';
import type { NestedVerb, RelatedShape } from './related.shape.js';
import type { OwnerRules } from './owner.rules.js';

/** The rules for the related records of one relation, by operation; those that bodies cannot have are left out. */
export interface RelatedOperations {
  readonly create?: CreateRules;
  readonly update?: UpdateRules;
  readonly delete?: DeleteRules;
}

/** One relation whose records are written within bodies. */
export interface WrittenRelation {
  readonly context: KindContext;
  readonly shape: RelatedShape;
  readonly verb: NestedVerb;
  readonly rules: RelatedOperations;
  /** True if a rule of its endpoints, or of those of its records' relations, may refuse the sender. */
  readonly mayRefuse: boolean;
  /** The relations of its records: of new ones, or of those that are changed. */
  within(verb: NestedVerb): RelationLevel | undefined;
}

/** The relations of records that are written within their bodies. */
export interface RelationLevel {
  readonly model: Model;
  readonly owners: OwnerRules;
  /** The relations by the names that clients know. */
  readonly byName: ReadonlyMap<string, WrittenRelation>;
  readonly all: readonly WrittenRelation[];
  /** The refusals that the rules of related records add to those of the endpoint. */
  readonly refusals: readonly Outcome[];
  /** The names on the wire of columns that get keys from related records. */
  readonly keyNames: readonly string[];
  /** Parts what a body says of a record from what it says of related ones, and reads these. */
  read(body: ReadonlyMap<string, unknown>, place: string, reader: NestedReader): ReadBody;
  /** Keeps what a body says of related records with what it says of the record itself. */
  keep(input: RecordInput, plans: readonly NestedPlan[]): void;
  /** The related records that a body has; none for most. */
  plansOf(input: RecordInput): readonly NestedPlan[];
}

/** A body, parted. */
export interface ReadBody {
  readonly own: ReadonlyMap<string, unknown>;
  readonly plans: readonly NestedPlan[];
}

/** A change of a related record: of one that belongs to the record, or of one that is linked to it. One that is kept has none. */
export interface RelatedChange extends PlacedChange<RecordInput> {
  readonly sort: 'update' | 'link' | 'unlink' | 'keep';
}

/** The related records of one relation, as the body of a record has them. */
export interface NestedPlan {
  readonly relation: WrittenRelation;
  readonly place: string;
  readonly creates: readonly PlacedInput<RecordInput>[];
  readonly changes: readonly RelatedChange[];
  readonly deletes: readonly PlacedTarget[];
  /** True if related records that are not named go. */
  readonly replaces: boolean;
}

/** A record that others are related to, once it is written. */
export interface Owner {
  readonly input: RecordInput;
  readonly id: RecordKey;
  readonly record: StoredRecord | undefined;
  readonly isNew: boolean;
}

/** An owner, with what its body says of one relation. */
export interface OwnedPlan {
  readonly index: number;
  readonly owner: Owner;
  readonly plan: NestedPlan;
}

/** A record that is there, with the owner that it has to belong to. */
export interface OwnedTarget<Target> {
  readonly index: number;
  readonly owner: Owner;
  readonly target: Target;
}
