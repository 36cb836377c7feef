import type { RecordKey, StoredRecord } from '../../records/record.store.js';
import type { RecordLink } from '../../records/writes/links/link.writing.js';
import type { PlacedInput } from '../../records/writes/bulk/bulk.writes.js';
import type { RecordInput } from '../../request/record.input.js';
import type {
  NestedPlan,
  OwnedPlan,
  OwnedTarget,
  Owner,
  RelatedChange,
  RelationLevel,
  WrittenRelation,
} from './nested.plan.js';
import type { NestedTrial } from './nested.trial.js';
import { placed } from './placed.refusal.js';
import type { ChangeRules } from './related.rules.js';
import { foundTargets } from './found.targets.js';
import { holdTogether, linkAll, parted, unlinkDeleted } from './linked.writes.js';

/** Creates the records that others refer to, and gives these their keys. */
export async function writeBefore(
  trial: NestedTrial,
  level: RelationLevel,
  inputs: readonly RecordInput[],
): Promise<void> {
  for (const relation of level.all) {
    const { key } = relation.shape;
    if (key === undefined) continue;
    const creates = inputs.flatMap((input) =>
      level.plansOf(input).flatMap((plan) => (plan.relation === relation ? withOwner(plan, input) : [])),
    );
    const keys = await createAll(
      trial,
      relation,
      creates.map(({ create }) => create),
    );
    for (const [index, { input }] of creates.entries())
      input.values.set(key, key.type.fromText(String(keys[index])));
  }
}

/** Writes the records that refer to others. Gives for each of these if they are changed. */
export async function writeAfter(
  trial: NestedTrial,
  level: RelationLevel,
  owners: readonly Owner[],
): Promise<readonly boolean[]> {
  const changed = owners.map(() => false);
  for (const relation of level.all) {
    const planned = owners.flatMap((owner, index) =>
      level
        .plansOf(owner.input)
        .flatMap((plan) => (plan.relation === relation ? { index, owner, plan } : [])),
    );
    if (planned.length === 0) continue;
    const found = await foundTargets(trial, relation, planned);
    const { deletes, changes, linked } = parted(relation, found);
    await holdTogether(trial, relation, [deletes, linked, changes]);
    const indexes = [
      ...(await deleteAll(trial, relation, deletes)),
      ...(await linkAll(trial, relation, linked)),
      ...(await changeAll(trial, level, relation, changes)),
      ...(relation.shape.form === 'parent' ? [] : await createOwned(trial, relation, planned)),
    ];
    // What a record refers to is not a part of it.
    if (relation.shape.form !== 'parent') for (const index of indexes) changed[index] = true;
  }
  return changed;
}

function withOwner({ creates }: NestedPlan, input: RecordInput) {
  return creates.map((create) => ({ create, input }));
}

/** Creates the records of a relation: those of all owners at once. Gives their keys. */
async function createAll(
  trial: NestedTrial,
  relation: WrittenRelation,
  inputs: readonly PlacedInput<RecordInput>[],
): Promise<readonly RecordKey[]> {
  const rules = relation.rules.create;
  if (rules === undefined || inputs.length === 0) return [];
  const { unit, ruler, context, model } = rules;
  const request = trial.requestOf(ruler);
  const within = relation.within('create');
  if (within !== undefined)
    await writeBefore(
      trial,
      within,
      inputs.map(({ input }) => input),
    );
  const keys = await placed({ rules, request, inputs }, () =>
    unit.explained(request, inputs, () =>
      context.store(model).transaction(request.session, async () => {
        await unit.judge(request, inputs);
        return unit.insert(request, inputs);
      }),
    ),
  );
  const created = inputs.flatMap(({ input }, index) => {
    const id = keys[index];
    return id === undefined ? [] : [{ input, id, record: undefined, isNew: true }];
  });
  if (within !== undefined) await writeAfter(trial, within, created);
  return keys;
}

/** Creates the records that belong to owners. Gives the indexes of these. */
async function createOwned(
  trial: NestedTrial,
  relation: WrittenRelation,
  planned: readonly OwnedPlan[],
): Promise<readonly number[]> {
  const { create } = relation.rules;
  const { key, links, ruler } = create ?? {};
  const creating = planned.filter(({ plan }) => plan.creates.length > 0);
  for (const { owner, plan } of creating)
    for (const { input } of plan.creates) {
      if (key === undefined) continue;
      // No client has sent it, so that no complaint is about it.
      input.setByService.add(key);
      input.values.set(key, key.type.fromText(String(owner.id)));
    }
  const inputs = creating.flatMap(({ plan }) => plan.creates);
  const keys = await createAll(trial, relation, inputs);
  const owners = creating.flatMap(({ owner, plan }) => plan.creates.map(() => owner.id));
  const made = owners.flatMap((owner, index): RecordLink[] => {
    const member = keys[index];
    return member === undefined ? [] : [{ owner, member }];
  });
  await links?.add(trial.requestOf(ruler).session, made);
  return creating.map(({ index }) => index);
}

type Owned = OwnedTarget<NestedPlan['deletes'][number]>;

async function deleteAll(
  trial: NestedTrial,
  { rules, shape }: WrittenRelation,
  owned: readonly Owned[],
): Promise<readonly number[]> {
  const used = rules.delete;
  if (used === undefined || owned.length === 0) return [];
  const request = trial.requestOf(used.ruler);
  const { links } = used;
  const all = links === undefined ? owned : await unlinkDeleted(request, used, links, owned);
  const ownerOf = ({ owner }: Owned) => ({ owner: links === undefined ? owner.id : undefined });
  used.locator.expect(request, all.map(ownerOf));
  const targets = all.map(({ target }) => target);
  const inputs = targets.map(({ place }) => ({ place, input: undefined }));
  await placed({ rules: used, request, inputs }, () =>
    used.unit.delete(request, targets, () => undefined, used.mark?.deleted(request.context())),
  );
  return shape.form === 'parent' ? [] : owned.map(({ index }) => index);
}

/** Changes records of all owners at once. Gives the indexes of the owners of those that have changed. */
async function changeAll(
  trial: NestedTrial,
  level: RelationLevel,
  relation: WrittenRelation,
  owned: readonly OwnedTarget<RelatedChange>[],
): Promise<readonly number[]> {
  const { update } = relation.rules;
  if (update === undefined || owned.length === 0) return [];
  const { unit, ruler, locator, key, model, writing } = update;
  const request = trial.requestOf(ruler);
  const left: StoredRecord[] = [];
  const leaves = async (keys: readonly RecordKey[]): Promise<readonly (StoredRecord | undefined)[]> => {
    const found = await level.owners.locate(trial, keys);
    left.push(...found.flatMap((record) => record ?? []));
    return found;
  };
  for (const { owner, target } of owned)
    if (key !== undefined && target.sort !== 'update') {
      const value = target.sort === 'link' ? key.type.fromText(String(owner.id)) : null;
      target.change.input.values.set(key, value);
    }
  const within = relation.within('update');
  const inputs = owned.map(({ target }) => target.change);
  if (within !== undefined)
    await writeBefore(
      trial,
      within,
      inputs.map(({ input }) => input),
    );
  locator.expect(
    request,
    owned.map((one) => ownershipOf(relation, one, leaves)),
  );
  await placed({ rules: update, request, inputs }, () =>
    unit.update(
      request,
      owned.map(({ target }) => target),
      () => undefined,
    ),
  );
  await level.owners.touch(trial, left);
  const found = locator.foundFor(request);
  const changes = owned.flatMap(({ target: { sort, place: at, key: by } }, place) => {
    const record = found[place]?.record;
    // A link writes the key of its owner alone.
    return record === undefined || sort !== 'update'
      ? []
      : [{ id: writing.idOf(record), place: at, key: by }];
  });
  trial.change(model.meta, changes);
  const isChanged = found.map((one) => one?.isChanged() === true);
  const areBelow = within && (await changeBelow(trial, within, update, owned, found));
  return owned.flatMap(({ index }, place) =>
    isChanged[place] === true || areBelow?.[place] === true ? [index] : [],
  );
}

function ownershipOf(
  { shape }: WrittenRelation,
  { owner, target }: OwnedTarget<RelatedChange>,
  leaves: (keys: readonly RecordKey[]) => Promise<readonly (StoredRecord | undefined)[]>,
) {
  if (shape.form === 'parent') return { owner: undefined };
  return target.sort === 'link' ? { owner: owner.id, leaves } : { owner: owner.id };
}

/** Writes what is related to changed records, which have the version of a change then. */
async function changeBelow(
  trial: NestedTrial,
  within: RelationLevel,
  { writing }: ChangeRules,
  owned: readonly OwnedTarget<RelatedChange>[],
  found: ReturnType<ChangeRules['locator']['foundFor']>,
): Promise<readonly boolean[]> {
  const owners = owned.flatMap(({ target }, place): Owner[] => {
    const record = found[place]?.record;
    if (record === undefined) return [];
    return [{ input: target.change.input, id: writing.idOf(record), record, isNew: false }];
  });
  const changed = await writeAfter(trial, within, owners);
  const untold = found.flatMap((one, place) =>
    one !== undefined && changed[place] === true && !one.isChanged() ? [one.record] : [],
  );
  await within.owners.touch(trial, untold);
  return changed;
}
