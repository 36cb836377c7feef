import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { LinkWriting, RecordLink } from '../../records/writes/links/link.writing.js';
import { missing, type FoundTargets } from './found.targets.js';
import type { NestedPlan, OwnedTarget, RelatedChange, WrittenRelation } from './nested.plan.js';
import type { NestedTrial } from './nested.trial.js';
import { linkSet } from './owned.locator.js';
import type { ChangeRules } from './related.rules.js';

type OwnedDelete = OwnedTarget<NestedPlan['deletes'][number]>;
type OwnedChange = OwnedTarget<RelatedChange>;

interface PartedTargets extends FoundTargets {
  /** The changes of links alone, which are in no row of a record. */
  readonly linked: readonly OwnedChange[];
}

/** Parts changes of records from changes of links between records, where these are in a table of their own. */
export function parted({ shape }: WrittenRelation, { changes, deletes }: FoundTargets): PartedTargets {
  if (shape.links === undefined) return { changes, deletes, linked: [] };
  const isOfRow = ({ target }: OwnedChange): boolean => target.sort === 'update';
  return {
    changes: changes.filter(isOfRow),
    deletes,
    linked: changes.filter((one) => !isOfRow(one)),
  };
}

/**
 * Locks all records of a relation that a request names, in the order of their keys, where several steps would lock some of them
 * each: requests that name the same ones wait for each other then.
 */
export async function holdTogether(
  trial: NestedTrial,
  { rules: { update, delete: deletion } }: WrittenRelation,
  steps: readonly (readonly (OwnedDelete | OwnedChange)[])[],
): Promise<void> {
  const used = update ?? deletion;
  if (used === undefined || steps.filter((some) => some.length > 0).length < 2) return;
  const { name } = used.targets.path.column;
  // Who looks records up by another column locks them later.
  const isOther = deletion !== undefined && deletion.targets.path.column.name !== name;
  const values = (isOther ? steps.slice(1) : steps).flat().map(({ target }) => target.value);
  await used.locator.hold(trial.requestOf(used.ruler), [...new Set(values)]);
}

/** Links records to owners, and unlinks some. Gives the indexes of the owners that have other links now. */
export async function linkAll(
  trial: NestedTrial,
  { rules: { update }, shape: { links } }: WrittenRelation,
  owned: readonly OwnedChange[],
): Promise<readonly number[]> {
  if (update === undefined || links === undefined || owned.length === 0) return [];
  const request = trial.requestOf(update.ruler);
  const { session } = request;
  const records = await update.locator.hold(
    request,
    owned.map(({ target }) => target.value),
  );
  const named = owned.map((one, index) => {
    const record = records[index];
    return { ...one, link: record && { owner: one.owner.id, member: update.writing.idOf(record) } };
  });
  const isLinked = linkSet(await links.among(session, ...sidesOf(named.flatMap(({ link }) => link ?? []))));
  const isThere = (link: RecordLink): boolean => isLinked(link.owner, link.member);
  const lost = named.filter(
    ({ link, target }) => link === undefined || (target.sort === 'unlink' && !isThere(link)),
  );
  if (lost.length > 0) throw missing(lost.map(({ target }) => target));
  const changed = named.flatMap(({ index, link, target: { sort } }) =>
    link === undefined || (sort === 'link' && isThere(link)) ? [] : [{ index, link, sort }],
  );
  const of = (wanted: RelatedChange['sort']): RecordLink[] =>
    changed.flatMap(({ link, sort }) => (sort === wanted ? [link] : []));
  await links.remove(session, of('unlink'));
  await links.add(session, of('link'));
  return changed.map(({ index }) => index);
}

/**
 * Takes records that are deleted for good out of the lists that they are in. Gives them once each, however many owners have them.
 *
 * @throws InvalidInput where one is not linked to its owner
 */
export async function unlinkDeleted(
  request: EndpointRequest,
  { locator, writing, ...rules }: ChangeRules & { readonly mark: unknown },
  links: LinkWriting,
  owned: readonly OwnedDelete[],
): Promise<readonly OwnedDelete[]> {
  locator.expect(
    request,
    owned.map(({ owner }) => ({ owner: owner.id })),
  );
  const records = await locator.locate(
    request,
    owned.map(({ target }) => target.value),
  );
  const lost = owned.filter((_, index) => records[index] === undefined);
  if (lost.length > 0) throw missing(lost.map(({ target }) => target));
  const once = new Map(
    owned.flatMap((one, index) => {
      const record = records[index];
      return record === undefined ? [] : [[writing.idOf(record), one] as const];
    }),
  );
  if (rules.mark === undefined) await links.removeAllOf(request.session, [...once.keys()]);
  return [...once.values()];
}

function sidesOf(links: readonly RecordLink[]) {
  return [links.map(({ owner }) => owner), links.map(({ member }) => member)] as const;
}
