import type { SentEntry } from '../bulk/bulk.body.js';
import type { NamedTarget } from '../bulk/bulk.targets.js';
import type { PlacedInput } from '../../records/writes/bulk/bulk.writes.js';
import { RecordInput } from '../../request/record.input.js';
import type { NestedOperation } from '../../endpoint/options/nested.options.js';
import type { NestedPlan, RelatedChange, WrittenRelation } from './nested.plan.js';
import type { NestedReader } from './nested.reader.js';
import { removalRules } from './found.targets.js';
import type { ChangeRules, CreateRules, RelatedRules } from './related.rules.js';
import { namedTwice } from '../../records/writes/bulk/named.twice.js';

type Members = Readonly<Record<string, unknown>>;

/** A plan while it is read. */
interface Draft extends NestedPlan {
  readonly creates: PlacedInput<RecordInput>[];
  readonly changes: RelatedChange[];
  readonly deletes: NamedTarget[];
  /** The places of records by what they are called. */
  readonly named: Map<string, string>;
}

/** Reads what a body says of the related records of one relation. What is wrong with it is told by its place. */
export function planOf(
  relation: WrittenRelation,
  value: unknown,
  place: string,
  reader: NestedReader,
): NestedPlan {
  const { shape, verb } = relation;
  const isList = shape.isMany;
  const replaces = isList && verb === 'update' && shape.replaces && Array.isArray(value);
  const draft = {
    relation,
    place,
    creates: [],
    changes: [],
    deletes: [],
    replaces,
    named: new Map<string, string>(),
  };
  if (isList && (verb === 'create' || replaces)) readList(draft, value, reader);
  else readOperations(draft, value, reader);
  for (const { ruler } of rulesOf(draft)) reader.gate(ruler);
  return draft;
}

/** The rules by which a plan writes. What it writes beside what it names counts as well: nobody knows yet what is there. */
function rulesOf({ relation, creates, changes, deletes, replaces }: Draft): readonly RelatedRules[] {
  const { rules, shape } = relation;
  // Between many, an entry that is only kept becomes a link where it is none.
  const isChanging = changes.some(({ sort }) => sort !== 'keep' || shape.links !== undefined);
  const used = [
    creates.length > 0 ? rules.create : undefined,
    isChanging ? rules.update : undefined,
    deletes.length > 0 ? rules.delete : undefined,
    replaces ? removalRules(relation) : undefined,
  ];
  return used.filter((one) => one !== undefined);
}

/** A list of new records, or of all that there are to be. */
function readList(draft: Draft, value: unknown, reader: NestedReader): void {
  const { relation, place } = draft;
  const { create, update } = relation.rules;
  if (!Array.isArray(value)) {
    reader.complain(place, 'value should be a list');
    return;
  }
  if (!reader.takes(place, value.length, relation.shape.maximum)) return;
  for (const [index, members] of value.entries()) {
    const at = `${place}.${index}`;
    const isKnown =
      update !== undefined && isObject(members) && Object.hasOwn(members, update.targets.keyName);
    if (draft.replaces && isKnown) readUpdates(draft, [members], () => at, reader);
    else if (create === undefined) reader.complain(at, 'the record must be one that is there');
    else readCreate(draft, create, members, at, reader);
  }
}

/** An object of operations. */
function readOperations(draft: Draft, value: unknown, reader: NestedReader): void {
  const { relation, place } = draft;
  const { rules, shape } = relation;
  const words = wordsOf(relation);
  const sent = isObject(value) ? Object.entries(value) : [];
  if (sent.length === 0 || sent.some(([word]) => !words.has(word))) {
    reader.complain(place, `value should be an object with some of: ${[...words.keys()].join(', ')}`);
    return;
  }
  if (!shape.isMany) {
    if (sent.length > 1) reader.complain(place, `value should have one of: ${[...words.keys()].join(', ')}`);
    else for (const [word, one] of sent) readSingle(draft, words.get(word), one, `${place}.${word}`, reader);
    return;
  }
  const lists = sent.flatMap(([word, list]) => {
    if (Array.isArray(list))
      return [{ operation: words.get(word), at: `${place}.${word}`, list: list as unknown[] }];
    reader.complain(`${place}.${word}`, 'value should be a list');
    return [];
  });
  const records = lists.reduce((sum, { list }) => sum + list.length, 0);
  if (!reader.takes(place, records, shape.maximum)) return;
  for (const { operation, at, list } of lists) {
    if (operation === 'create' && rules.create !== undefined)
      for (const [index, members] of list.entries())
        readCreate(draft, rules.create, members, `${at}.${index}`, reader);
    else if (operation === 'update') readUpdates(draft, list, (index) => `${at}.${index}`, reader);
    else readKeys(draft, operation, list, at, reader);
  }
}

/** A related record that there is one of. */
function readSingle(
  draft: Draft,
  operation: NestedOperation | undefined,
  value: unknown,
  at: string,
  reader: NestedReader,
): void {
  const { rules } = draft.relation;
  if (!reader.takes(draft.place, 1, 1)) return;
  if (operation === 'create' && rules.create !== undefined)
    readCreate(draft, rules.create, value, at, reader);
  else if (operation === 'update' && rules.update !== undefined) {
    if (!isObject(value)) reader.complain(at, 'value should be an object');
    else {
      const change = changeOf(draft, new Map(Object.entries(value)), at, reader);
      // Which one it is, the record says.
      draft.changes.push({
        place: at,
        key: at,
        value: undefined,
        expected: undefined,
        change,
        sort: 'update',
      });
    }
  } else if (operation === 'delete' && value === true)
    draft.deletes.push({
      place: at,
      key: at,
      value: undefined,
      expected: undefined,
      members: new Map(),
      complaint: undefined,
    });
  else reader.complain(at, 'value should be true');
}

function readCreate(
  draft: Draft,
  { judge, ruler }: CreateRules,
  members: unknown,
  at: string,
  reader: NestedReader,
): void {
  if (!isObject(members)) {
    reader.complain(at, 'value should be an object');
    return;
  }
  const within = draft.relation.within('create');
  const body = new Map(Object.entries(members));
  const { own, plans } = within?.read(body, `${at}.`, reader) ?? { own: body, plans: [] };
  const input = judge.read(own, reader.facts(ruler));
  within?.keep(input, plans);
  draft.creates.push({ place: at, input });
  tell(input, at, reader);
}

function readUpdates(
  draft: Draft,
  list: readonly unknown[],
  placeOf: (index: number) => string,
  reader: NestedReader,
): void {
  const { update } = draft.relation.rules;
  if (update === undefined) return;
  const entries: SentEntry[] = [];
  for (const [index, members] of list.entries())
    if (isObject(members)) entries.push({ place: placeOf(index), members });
    else reader.complain(placeOf(index), 'value should be an object');
  for (const target of update.targets.ofEntries(entries)) {
    draft.changes.push(listedChange(draft, target, reader));
    judgeTarget(draft, update, target, reader, true);
  }
}

/** A record that a list names is only kept where bodies may change none. */
function listedChange(draft: Draft, target: NamedTarget, reader: NestedReader): RelatedChange {
  const { place, members, expected } = target;
  if (draft.relation.shape.operations.has('update'))
    return { ...target, change: changeOf(draft, members, place, reader), sort: 'update' };
  for (const name of members.keys())
    reader.complain(`${place}.${name}`, `Input column ${name} is not an allowed input column.`);
  const change = { place, input: new RecordInput() };
  return { ...target, change, sort: expected === undefined ? 'keep' : 'update' };
}

function readKeys(
  draft: Draft,
  operation: NestedOperation | undefined,
  list: readonly unknown[],
  at: string,
  reader: NestedReader,
): void {
  const { rules } = draft.relation;
  const isDelete = operation === 'delete';
  const used: ChangeRules | undefined = isDelete ? rules.delete : rules.update;
  if (used === undefined) return;
  const sent = { form: 'ids', list, name: at, changes: undefined, maximum: undefined } as const;
  for (const target of used.targets.ofKeys(sent)) {
    judgeTarget(draft, used, target, reader, isDelete);
    if (isDelete) draft.deletes.push(target);
    else {
      const change = { place: target.place, input: new RecordInput() };
      draft.changes.push({ ...target, change, sort: operation === 'link' ? 'link' : 'unlink' });
    }
  }
}

function changeOf(
  draft: Draft,
  members: ReadonlyMap<string, unknown>,
  at: string,
  reader: NestedReader,
): PlacedInput<RecordInput> {
  const { update } = draft.relation.rules;
  const within = draft.relation.within('update');
  const { own, plans } = within?.read(members, `${at}.`, reader) ?? { own: members, plans: [] };
  const input = update?.judge.read(own, reader.facts(update.ruler)) ?? new RecordInput();
  within?.keep(input, plans);
  tell(input, at, reader);
  return { place: at, input };
}

/**
 * Complains about how a record is named, and about one that was named before.
 * @param isWritten whether its own row is: then no other relation, nor another record that it is linked to, may name it. Else its key
 *   is, or a link to it: a key has one value, so that it is given at one place of a request
 */
function judgeTarget(
  draft: Draft,
  { targets, model, key, links }: ChangeRules,
  target: NamedTarget,
  reader: NestedReader,
  isWritten: boolean,
): void {
  if (target.complaint !== undefined) {
    reader.complain(...target.complaint);
    return;
  }
  const { column } = targets.path;
  const text = `${column.name} ${column.type.keyText(column.type.toDatabase(target.value))}`;
  const keyed = links === undefined && key !== undefined ? reader.writtenOf(key.property) : draft.named;
  const written = isWritten ? reader.writtenOf(model.meta.root.class) : keyed;
  const before = draft.named.get(text) ?? written.get(text);
  if (before !== undefined) reader.complain(target.key, namedTwice(before));
  else {
    draft.named.set(text, target.place);
    written.set(text, target.place);
  }
}

function tell({ complaints }: RecordInput, place: string, reader: NestedReader): void {
  for (const [name, message] of complaints) reader.complain(`${place}.${name}`, message);
}

/** The words of operations as clients write them. */
export function wordsOf({ rules, shape, context }: WrittenRelation): ReadonlyMap<string, NestedOperation> {
  const { create, update } = rules;
  const ruled: Readonly<Record<NestedOperation, unknown>> = {
    create,
    update,
    delete: rules.delete,
    link: update,
    unlink: update,
  };
  const words = [...shape.operations].filter((one) => ruled[one] !== undefined);
  return new Map(words.map((one) => [context.names.control(one), one]));
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
