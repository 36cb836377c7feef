import type { Column } from '../../model/column.js';
import type { StoredRecord } from '../../records/record.store.js';
import type { LinkWriting } from '../../records/writes/links/link.writing.js';
import { parentMissingMessage } from '../../model/validators/parent-exists.validator.js';
import { InvalidInput, mostComplaints } from '../../wire/refusals.js';
import { RecordInput } from '../../request/record.input.js';
import type {
  NestedPlan,
  OwnedPlan,
  OwnedTarget,
  Owner,
  RelatedChange,
  WrittenRelation,
} from './nested.plan.js';
import { mostLinks, mostNested, tooManyNested } from './nested.reader.js';
import { linkSet } from './owned.locator.js';
import type { NestedTrial } from './nested.trial.js';
import type { ChangeRules } from './related.rules.js';

type Delete = NestedPlan['deletes'][number];

/** The records that are there, of all owners. */
export interface FoundTargets {
  readonly changes: readonly OwnedTarget<RelatedChange>[];
  readonly deletes: readonly OwnedTarget<Delete>[];
}

/**
 * Finds out which records a plan is about where it does not name them: a single one, and those that a list replaces.
 * @throws InvalidInput where there is none
 */
export async function foundTargets(
  trial: NestedTrial,
  relation: WrittenRelation,
  planned: readonly OwnedPlan[],
): Promise<FoundTargets> {
  const found = await targetsOf(trial, relation, planned);
  const unnamed = [...found.changes, ...found.deletes].filter(({ target }) => target.value === undefined);
  if (unnamed.length > 0) throw missing(unnamed.map(({ target }) => target));
  return { ...found, changes: found.changes.filter(({ target }) => target.sort !== 'keep') };
}

async function targetsOf(
  trial: NestedTrial,
  relation: WrittenRelation,
  planned: readonly OwnedPlan[],
): Promise<FoundTargets> {
  const { shape } = relation;
  const changes = planned.flatMap((one) => one.plan.changes.map((target) => ({ ...one, target })));
  const deletes = planned.flatMap((one) => one.plan.deletes.map((target) => ({ ...one, target })));
  if (shape.form === 'parent') return { changes: changes.map((one) => ofParent(relation, one)), deletes };
  const asking = planned.filter(({ plan, owner }) =>
    shape.form === 'child' ? plan.changes.length + plan.deletes.length > 0 : plan.replaces && !owner.isNew,
  );
  if (asking.length === 0) return { changes, deletes };
  const { rules } = relation;
  const used = removalRules(relation);
  if (used === undefined) return { changes, deletes };
  const ownedBy = await relatedTo(trial, used, asking);
  if (shape.form === 'child') {
    const single = <Target extends Delete>(one: OwnedTarget<Target>): OwnedTarget<Target> => {
      const [record] = ownedBy(one.owner);
      return { ...one, target: { ...one.target, value: record && keyOf(used, record) } };
    };
    return { changes: changes.map(single), deletes: deletes.map(single) };
  }
  const strange = asking.flatMap((one) => notAmong(used, one, ownedBy(one.owner)));
  const isLinking = shape.links !== undefined && shape.operations.has('link');
  if (strange.length > 0 && !isLinking) throw missing(strange.map(({ target }) => target));
  const linked = strange.map((one) => ({ ...one, target: { ...one.target, sort: 'link' } as const }));
  const gone = asking.flatMap((one) => replaced(used, one, ownedBy(one.owner)));
  if (used === rules.delete) return { changes: [...linked, ...changes], deletes: [...deletes, ...gone] };
  const unlinked = gone.map((one): OwnedTarget<RelatedChange> => {
    const change = { place: one.target.place, input: new RecordInput() };
    return { ...one, target: { ...one.target, change, sort: 'unlink' } };
  });
  return { changes: [...linked, ...changes, ...unlinked], deletes };
}

/** The rules by which a record goes that a list does not name. */
export function removalRules({ shape, rules }: WrittenRelation): ChangeRules | undefined {
  // Others may have a member as well.
  const isUnlinked = shape.links !== undefined && shape.operations.has('unlink');
  return (isUnlinked ? rules.update : rules.delete) ?? rules.update;
}

/** The record that an owner refers to. */
function ofParent(
  { shape: { key }, rules }: WrittenRelation,
  one: OwnedTarget<RelatedChange>,
): OwnedTarget<RelatedChange> {
  const { record } = one.owner;
  const stored = key && record && rules.update?.writing.parentKeyIn(record, key);
  const value = stored === undefined ? undefined : key?.type.fromText(String(stored));
  return { ...one, target: { ...one.target, value } };
}

/** Reads and locks the records that belong to owners. */
async function relatedTo(
  trial: NestedTrial,
  rules: ChangeRules,
  planned: readonly OwnedPlan[],
): Promise<(owner: Owner) => readonly StoredRecord[]> {
  const { ruler, locator, key, links, writing } = rules;
  if (links !== undefined) return membersOf(trial, rules, links, planned);
  if (key === undefined) return () => [];
  const path = { text: key.name, relations: [], column: key };
  const value = planned.map(({ owner }) => key.type.fromText(String(owner.id)));
  const conditions = [{ path, comparison: 'in', value } as const];
  const met = { conditions, maximum: mostNested };
  const records = await locator.met(trial.requestOf(ruler), met, () => tooMany(planned));
  return ({ id }) => records.filter((record) => String(writing.parentKeyIn(record, key)) === String(id));
}

/** Reads and locks the records that are linked to owners. */
async function membersOf(
  trial: NestedTrial,
  { ruler, locator, model: { idPath }, writing }: ChangeRules,
  links: LinkWriting,
  planned: readonly OwnedPlan[],
): Promise<(owner: Owner) => readonly StoredRecord[]> {
  const request = trial.requestOf(ruler);
  const owners = planned.map(({ owner }) => owner.id);
  const all = await links.ofAll(request.session, owners, mostLinks + 1);
  if (all.length === 0) return () => [];
  if (all.length > mostLinks) throw tooMany(planned);
  const isLinked = linkSet(all);
  const { type } = idPath.column;
  const value = [...new Set(all.map(({ member }) => String(member)))].map((key) => type.fromText(key));
  const conditions = [{ path: idPath, comparison: 'in', value } as const];
  const met = { conditions, maximum: mostNested };
  const records = await locator.met(request, met, () => tooMany(planned));
  return ({ id }) => records.filter((record) => isLinked(id, writing.idOf(record)));
}

/** The refusal of lists that replace more records than a request may have. */
function tooMany(planned: readonly OwnedPlan[]): InvalidInput {
  const places = planned.slice(0, mostComplaints).map(({ plan }) => plan.place);
  return new InvalidInput(new Map(places.map((place) => [place, tooManyNested])));
}

export function missing(targets: readonly Pick<Delete, 'key'>[]): InvalidInput {
  return new InvalidInput(
    new Map(targets.slice(0, mostComplaints).map(({ key }) => [key, parentMissingMessage])),
  );
}

/** The entries of a list that name none of the related records. */
function notAmong(
  rules: ChangeRules,
  planned: OwnedPlan,
  records: readonly StoredRecord[],
): OwnedTarget<RelatedChange>[] {
  const { column } = rules.targets.path;
  const there = new Set(records.map((record) => textOf(column, keyOf(rules, record))));
  const strange = planned.plan.changes.filter(({ value }) => !there.has(textOf(column, value)));
  return strange.map((target) => ({ ...planned, target }));
}

/** The related records of an owner that its list does not name. */
function replaced(
  rules: ChangeRules,
  planned: OwnedPlan,
  records: readonly StoredRecord[],
): OwnedTarget<Delete>[] {
  const { plan } = planned;
  const named = new Set(plan.changes.map(({ value }) => textOf(rules.targets.path.column, value)));
  return records.flatMap((record) => {
    const value = keyOf(rules, record);
    if (named.has(textOf(rules.targets.path.column, value))) return [];
    const target = { place: plan.place, key: plan.place, value, expected: undefined };
    return [{ ...planned, target }];
  });
}

/** The value by which a record is looked up, as clients write it. */
function keyOf({ targets, writing }: ChangeRules, record: StoredRecord): unknown {
  const { column } = targets.path;
  return column.type.fromText(String(writing.parentKeyIn(record, column)));
}

function textOf({ type }: Column, value: unknown): string {
  return type.keyText(type.toDatabase(value));
}
