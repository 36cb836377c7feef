import { envelope, hasNames, lettersOf, memberLike, nameLike } from '../wire/names.js';
import type { ApiDocument, ApiSchema } from './api.document.js';
import { freeName, frontName } from './column.names.js';
import { listAbilities, searchAbilities, type ListAbilities } from './list.abilities.js';
import type { ResourceGroup } from './resource.groups.js';
import type { Resource, ResourceColumn } from './resource.js';
import { SchemaReader } from './schema.reader.js';

/** A resource with what only requests need to know of it. */
export interface KnownResource extends Resource {
  /** The ways to ask for records: the one with conditions first. */
  readonly lists: readonly ListAbilities[];
  readonly reader: SchemaReader;
  /** The members of a record as it is shown. */
  readonly shown: Readonly<Record<string, ApiSchema>>;
  /** Members of parents that are written under a name of their own: `country_code` for `country.code`. */
  readonly joined: ReadonlyMap<string, readonly [parent: string, member: string]>;
}

/** Reads what a document says of the records of one url. */
export function readResource(document: ApiDocument, group: ResourceGroup, name: string): KnownResource {
  const { path, model, calls } = group;
  const called = calledBy(group);
  const reader = new SchemaReader(document);
  const lists = [
    // Nobody but servers sends a body with a GET.
    ...(calls.search === undefined || calls.search.method === 'get'
      ? []
      : [searchAbilities(reader, calls.search)]),
    ...(calls.list === undefined ? [] : [listAbilities(reader, calls.list)]),
  ];
  const shown = shownIn(reader, group);
  const key = nameLike(Object.keys(shown), called);
  const named = columnsOf(reader, group, shown, lists);
  const isCalledId = called === 'id' || key === 'id';
  const ownId = isCalledId ? undefined : freeName(new Set(named.map((column) => column.name)));
  const columns = new Map(
    named.map((column) => {
      const front = frontName({ ownId }, column.name);
      return [front, { ...column, name: front }] as const;
    }),
  );
  const written = [...columns.values()].filter(({ isCreatable, isUpdatable }) => isCreatable || isUpdatable);
  const joined = joinedNames(reader, shown, [...written.map((column) => column.name)]);
  return { name, model, path, key, ownId, columns, calls, lists, reader, shown, joined };
}

/** The members of a record; of a Get where there is one, because a list may show less. */
function shownIn(reader: SchemaReader, { calls }: ResourceGroup): KnownResource['shown'] {
  const sources = [calls.get, calls.list, calls.search, calls.create, calls.update];
  for (const call of sources) {
    if (call === undefined) continue;
    const answer = reader.answer(call.operation);
    const data = isEnveloped(answer)
      ? reader.resolved(memberLike(answer.properties, 'data') as ApiSchema)
      : answer;
    const record = reader.properties(data.items ?? data);
    if (Object.keys(record).length > 0) return record;
  }
  return {};
}

function isEnveloped({ properties = {} }: ApiSchema): boolean {
  return hasNames(Object.keys(properties), envelope);
}

/** The last parameter of the path to a record: the member of that name is its key. */
function calledBy({ calls }: ResourceGroup): string {
  const path = (calls.get ?? calls.update ?? calls.delete)?.path ?? '';
  const [, parameter = 'id'] = /\{([^{}]+)\}$/.exec(path) ?? [];
  return parameter;
}

function columnsOf(
  reader: SchemaReader,
  { calls }: ResourceGroup,
  shown: KnownResource['shown'],
  lists: readonly ListAbilities[],
): readonly ResourceColumn[] {
  const created = calls.create === undefined ? {} : reader.body(calls.create.operation);
  const creatable = reader.properties(created);
  const updatable = calls.update === undefined ? {} : reader.properties(reader.body(calls.update.operation));
  const asked = lists.flatMap(({ columns, sortable }) => [...columns.keys(), ...sortable]);
  const names = new Set([
    ...Object.keys(shown),
    ...Object.keys(creatable),
    ...Object.keys(updatable),
    ...asked,
  ]);
  return [...names].map((name) => {
    const compared = lists.flatMap((list) => list.columns.get(name) ?? []);
    const schema = reader.resolved(creatable[name] ?? updatable[name] ?? shown[name] ?? compared[0]?.schema);
    return {
      ...{ name, schema, values: schema.enum?.filter((value) => value !== null) },
      isReadable: Object.hasOwn(shown, name),
      isCreatable: Object.hasOwn(creatable, name),
      isUpdatable: Object.hasOwn(updatable, name),
      isRequired: created.required?.includes(name) ?? false,
      isSortable: lists.some(({ sortable }) => sortable.has(name)),
      operators: [...new Set(compared.flatMap(({ operators }) => [...operators]))],
    };
  });
}

/** Forms write the key of a parent under a name of its own, while the record shows the parent: the name says which. */
function joinedNames(
  reader: SchemaReader,
  shown: KnownResource['shown'],
  written: readonly string[],
): KnownResource['joined'] {
  const joined = new Map<string, readonly [string, string]>();
  for (const [parent, schema] of Object.entries(shown))
    for (const member of Object.keys(reader.properties(nullless(reader, schema)))) {
      const name = written.find((one) => lettersOf(one) === lettersOf(parent + member));
      if (name !== undefined && !Object.hasOwn(shown, name)) joined.set(name, [parent, member]);
    }
  return joined;
}

/** A parent that may be missing is one of two. */
function nullless(reader: SchemaReader, schema: ApiSchema): ApiSchema {
  return reader.choices(schema).find(({ properties }) => properties !== undefined) ?? schema;
}
