import { frontName, type ApiDocument, type ApiSchema, type Resource } from '@nest-endpoints/client';
import type { PageConfig, ShownResource } from '../page.config.js';
import { includedColumns } from './included.columns.js';
import { listedIn } from './listed.columns.js';
import { isSingle, SchemaView } from './schema.view.js';
import { isCalled, ScreenColumns, toldApart } from './screen.columns.js';
import type { NestedRecords, Screen, ScreenColumn, Trash } from './screen.js';
import { letters, words } from './words.js';

/** Makes the screens of the records that the page shows, in their order. @throws Error for a name that no records have */
export function screensOf(
  document: ApiDocument,
  resources: readonly Resource[],
  config: PageConfig,
): readonly Screen[] {
  const known = resources.filter(
    ({ calls, path, key }) => calls.list !== undefined && !path.includes('{') && key !== undefined,
  );
  const restored = new Set(pathsOf(document, 'restore', 2));
  const chosen: readonly (readonly [Resource, ShownResource])[] =
    config.resources === undefined
      ? known.flatMap((one) => (restored.has(one.path) ? [] : [[one, { name: one.name }] as const]))
      : config.resources.map((entry) => {
          const shown = typeof entry === 'string' ? { name: entry } : entry;
          return [namedAs(known, shown.name), shown] as const;
        });
  const view = new SchemaView(document);
  const columns = new ScreenColumns(
    view,
    chosen.map(([resource]) => resource),
  );
  const maker = { document, known, view, columns };
  return chosen.map(([resource, shown]) => screenOf(maker, resource, shown));
}

interface Maker {
  readonly document: ApiDocument;
  readonly known: readonly Resource[];
  readonly view: SchemaView;
  readonly columns: ScreenColumns;
}

function namedAs(known: readonly Resource[], wanted: string): Resource {
  const found = known.find(({ name }) => name === wanted) ?? known.find(({ name }) => isCalled(name, wanted));
  if (found !== undefined) return found;
  throw new Error(
    `The document has no list called '${wanted}'; it has: ${known.map(({ name }) => name).join(', ')}`,
  );
}

function screenOf(maker: Maker, resource: Resource, shown: ShownResource): Screen {
  const { document } = maker;
  const columns = maker.columns.of(resource, shown);
  const nested = nestedIn(maker, resource);
  const isNested = ({ name }: ScreenColumn): boolean => nested.some((one) => one.name === name);
  const unnested = columns.filter((column) => !isNested(column));
  const plain = unnested.filter(({ sort }) => isSingle(sort));
  const representation = shown.representation ?? representationOf(plain, resource);
  const own = plain.filter(({ name }) => !name.includes('.'));
  const exactly = own.find(({ name, operators }) => name === representation && operators.includes('='))?.name;
  const listed = listedIn(maker.view, resource, plain, { representation, chosen: shown.columns });
  const trash = trashedIn(maker, resource);
  const inLists = { listed: listed.map(({ name }) => name), representation };
  return {
    name: resource.name,
    label: shown.label ?? words(resource.name.split('/').at(-1) ?? resource.name),
    resource,
    listed,
    written: firstOf(
      unnested.filter(({ isCreatable, isUpdatable }) => isCreatable || isUpdatable),
      representation,
    ),
    searched: toldApart(plain.filter(({ operators }) => operators.length > 0)),
    shown: own.filter(
      ({ name, isCreatable, isUpdatable }) =>
        !isCreatable && !isUpdatable && resource.columns.get(name)?.isReadable === true,
    ),
    nested,
    included: includedColumns(maker.view, resource, inLists, trash),
    trash: trash === undefined ? undefined : trashOf(maker, trash),
    hasHistory: pathsOf(document, 'history', 2).includes(resource.path),
    representation,
    order: orderOf(resource),
    exactly,
    hasWords: own.some(({ operators }) => operators.includes('contains') || operators.includes('matches')),
  };
}

/** What a record is called by comes first. */
function firstOf(columns: readonly ScreenColumn[], representation: string): readonly ScreenColumn[] {
  const isFirst = ({ name }: ScreenColumn): boolean => name === representation;
  return [...columns.filter(isFirst), ...columns.filter((column) => !isFirst(column))];
}

/** The paths of records that have operations of this verb, which stand so many parts below. */
function pathsOf({ paths }: ApiDocument, verb: string, below: number): readonly string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).some((one) => one['x-endpoint']?.verb === verb)
      ? [path.split('/').slice(0, -below).join('/')]
      : [],
  );
}

function trashedIn({ document, known }: Maker, { path, model }: Resource): Resource | undefined {
  return known.find(
    (one) =>
      one.model === model && one.path.split('/').slice(0, -1).join('/') === path && isTrash(document, one),
  );
}

function trashOf({ document }: Maker, within: Resource): Trash {
  const canRestore = pathsOf(document, 'restore', 2).includes(within.path);
  return { name: within.name, canRestore, canPurge: within.calls.delete !== undefined };
}

/** A trash has records that come back or are purged: nothing else has operations of these verbs. */
function isTrash(document: ApiDocument, { path }: Resource): boolean {
  return pathsOf(document, 'restore', 2).includes(path) || pathsOf(document, 'purge', 1).includes(path);
}

function representationOf(columns: readonly ScreenColumn[], { columns: all, key }: Resource): string {
  const texts = columns.filter(({ name, sort }) => sort === 'text' && all.get(name)?.isReadable === true);
  const usual = /^(name|title|label|subject|place)$/i;
  const found =
    texts.find(({ name }) => usual.test(name)) ??
    texts.find(({ name, isCreatable }) => isCreatable && name !== key) ??
    texts.find(({ name }) => name !== key);
  return found?.name ?? 'id';
}

/** The order that the list has when nobody says one: columns that it does not sort by would be refused. */
function orderOf(resource: Resource): Screen['order'] {
  const { calls, columns } = resource;
  const { parameters = [] } = calls.list?.operation ?? {};
  const initial = (word: string): unknown =>
    parameters.find(({ name }) => letters(name) === word)?.schema?.default;
  const named = initial('sort');
  const field =
    (typeof named === 'string' ? frontName(resource, named) : undefined) ??
    [...columns.values()].find(({ isSortable }) => isSortable)?.name ??
    'id';
  return {
    field,
    order: initial('direction') === 'desc' ? 'DESC' : 'ASC',
  };
}

/** Bodies that take lists of records tell of those that are written along. */
function nestedIn(maker: Maker, resource: Resource): readonly NestedRecords[] {
  const { view } = maker;
  const bodies = [resource.calls.create, resource.calls.update].map((call) => {
    const content = Object.entries(call?.operation.requestBody?.content ?? {});
    return view.resolved(content.find(([type]) => /[/+]json$/.test(type))?.[1].schema).properties ?? {};
  });
  const [created = {}, updated = {}] = bodies;
  return [...new Set([...Object.keys(created), ...Object.keys(updated)])].flatMap((name) => {
    const listed = recordIn(view, created[name]);
    const operations = view.resolved(updated[name]).properties ?? {};
    const record = listed ?? recordIn(view, operations['create']);
    if (record === undefined) return [];
    return [nestedRecords(maker, resource, { name, record, operations, isCreatable: listed !== undefined })];
  });
}

/** The schema of the records of a list; undefined where the schema is of something else. */
function recordIn(view: SchemaView, given: ApiSchema | undefined): ApiSchema | undefined {
  const { items } = view.resolved(given);
  const record = view.resolved(items);
  return record.properties === undefined ? undefined : record;
}

function nestedRecords(
  { view, known, columns }: Maker,
  { model, key: parentKey = 'id' }: Resource,
  found: {
    readonly name: string;
    readonly record: ApiSchema;
    readonly operations: Readonly<Record<string, ApiSchema>>;
    readonly isCreatable: boolean;
  },
): NestedRecords {
  const { name, record, operations, isCreatable } = found;
  const isTarget = (column: string): boolean => letters(column) === letters(model + parentKey);
  const isOwn = (column: string): boolean =>
    !isTarget(column) && recordIn(view, record.properties?.[column]) === undefined;
  const own = columns.nested(record).filter(({ name: column }) => isOwn(column));
  const others = known.filter((one) =>
    [...one.columns.values()].some((column) => isTarget(column.name) && column.operators.includes('=')),
  );
  const resource =
    others.find((one) => letters(one.name.split('/').at(-1) ?? '') === letters(name)) ??
    others.find((one) => own.every((column) => one.columns.get(column.name)?.isCreatable === true));
  const target = [...(resource?.columns.keys() ?? [])].find(isTarget) ?? '';
  // Bodies that change a record need its key, and a version maybe: the key stands first.
  const changed = recordIn(view, operations['update']);
  const [keyName = 'id', ...needed] = changed?.required ?? [];
  const versionName = Object.keys(changed?.properties ?? {}).find((one) => letters(one) === 'ifmatch');
  const version = { versionName, needsVersion: versionName !== undefined && needed.includes(versionName) };
  const key = { keyName, shownKey: resource === undefined ? keyName : frontName(resource, keyName) };
  const given = {
    name,
    label: words(name),
    columns: own,
    resource: resource?.name,
    target,
    ...key,
    ...version,
  };
  return { ...given, isCreatable, operations: Object.keys(operations) };
}
