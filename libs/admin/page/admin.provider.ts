import type { EndpointsDataProvider } from '@nest-endpoints/react-admin';
import type { GetListParams, RaRecord } from 'react-admin';
import { emptiedIn, withoutEmptied } from './emptied.columns.js';
import type { NestedRecords, Screen } from './model/screen.js';
import {
  bodyOf,
  formPlace,
  nestedChanges,
  storedEntry,
  writtenEntry,
  type NestedChanges,
} from './nested.changes.js';
import { versionedChanges } from './nested.versions.js';

type Entries = Readonly<Record<string, unknown>>;

/** The most records of a nested list that a form shows. */
const mostNested = 100;

/**
 * The data provider of the screens. What is written along is part of the record that a form has: it is read with it, and sent as
 * the operations that make it so.
 */
export function adminProvider(
  provider: EndpointsDataProvider,
  screens: ReadonlyMap<string, Screen>,
): EndpointsDataProvider {
  const nestedOf = (resource: string): readonly NestedRecords[] => screens.get(resource)?.nested ?? [];
  const trashes = [...screens.values()].map(
    ({ trash, included }) => [trash?.name, included.deleted] as const,
  );
  const deleted = new Map(trashes);
  const listed = (resource: string): readonly string[] | undefined =>
    screens.get(resource)?.included.listed ?? deleted.get(resource);
  const deletions = new Map<string, Promise<object>>();
  const methods: Partial<EndpointsDataProvider> = {
    getList: (resource, params) =>
      provider.getList(resource, including(listed(resource), searched(screens.get(resource), params))),
    getMany: (resource, params) =>
      provider.getMany(resource, including(screens.get(resource)?.included.many, params)),
    getOne: async (resource, params) => {
      const asked = including(screens.get(resource)?.included.one, params);
      const { data } = await provider.getOne<RaRecord>(resource, asked);
      return {
        data: {
          ...data,
          ...(await nestedIn(provider, nestedOf(resource), params.id)),
        } as never,
      };
    },
    create: async (resource, params) => {
      const data = createdRecord(nestedOf(resource), params.data as Entries);
      return await provider.create(resource, { ...params, data: data as object });
    },
    update: async (resource, params) => {
      const nested = nestedOf(resource);
      const before = (params.previousData ?? {}) as Entries;
      const data = params.data as Entries;
      const changes = await Promise.all(
        nested.map((one) =>
          versionedChanges(provider, one, nestedChanges(one, listIn(before, one), listIn(data, one))),
        ),
      );
      const written = screens.get(resource)?.written ?? [];
      const body = {
        ...updatedRecord(nested, changes, before, withoutEmptied(data)),
        ...emptiedIn(written, data),
      };
      try {
        const previousData = plain(nested, before) as RaRecord;
        const { data: saved } = await provider.update<RaRecord>(resource, {
          ...params,
          data: body,
          previousData,
        });
        return {
          data: { ...saved, ...(await nestedIn(provider, nested, params.id as RaRecord['id'])) } as never,
        };
      } catch (error) {
        throw placedError(error, nested, changes);
      }
    },
    delete: (resource, params) => {
      const before = params.previousData as Entries | undefined;
      const previousData = before === undefined ? undefined : plain(nestedOf(resource), before);
      // A second click on a button may come before the page has seen the first one.
      const key = JSON.stringify([resource, params.id]);
      const deletion =
        deletions.get(key) ??
        provider
          .delete(resource, { ...params, previousData: previousData as typeof params.previousData })
          .finally(() => deletions.delete(key));
      deletions.set(key, deletion);
      return deletion as never;
    },
  };
  return { ...provider, ...(methods as object) };
}

/** Asks for columns that nobody is shown otherwise. */
function including<P extends { readonly meta?: unknown }>(names: readonly string[] = [], params: P): P {
  return names.length === 0 ? params : { ...params, meta: { ...Object(params.meta), include: names } };
}

/** Where no words can be looked for, what people type is the whole text. */
function searched(screen: Screen | undefined, params: GetListParams): GetListParams {
  const { q, ...filter } = (params.filter ?? {}) as Record<string, unknown>;
  if (q === undefined || screen === undefined || screen.hasWords) return params;
  return { ...params, filter: screen.exactly === undefined ? filter : { ...filter, [screen.exactly]: q } };
}

async function nestedIn(
  provider: EndpointsDataProvider,
  nested: readonly NestedRecords[],
  id: RaRecord['id'],
): Promise<object> {
  const lists = nested.map(async (one) => {
    const { name, resource, target } = one;
    if (resource === undefined) return [];
    const { data } = await provider.getList<RaRecord>(resource, {
      filter: { [target]: id },
      pagination: { page: 1, perPage: mostNested },
    });
    return [[name, data.map((record) => storedEntry(one, record as Entries))] as const];
  });
  return Object.fromEntries((await Promise.all(lists)).flat());
}

function listIn(record: Entries, { name }: NestedRecords): readonly Entries[] {
  const list = record[name];
  return Array.isArray(list) ? (list as readonly Entries[]) : [];
}

function plain(nested: readonly NestedRecords[], record: Entries): Entries {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !nested.some((one) => one.name === name)),
  );
}

/** What was left empty is not sent: the service has values for it, or says that it wants one. */
function createdRecord(nested: readonly NestedRecords[], data: Entries): Entries {
  const filled = Object.entries(plain(nested, data)).filter(([, value]) => value !== null && value !== '');
  const lists = nested.flatMap((one) => {
    const entries = listIn(data, one).map((entry) => writtenEntry(one, entry));
    return entries.length === 0 ? [] : [[one.name, entries] as const];
  });
  return Object.fromEntries([...filled, ...lists]);
}

function updatedRecord(
  nested: readonly NestedRecords[],
  changes: readonly NestedChanges[],
  before: Entries,
  data: Entries,
): Entries {
  const bodies = nested.flatMap(({ name }, index) => {
    const body = changes[index] === undefined ? undefined : bodyOf(changes[index]);
    return body === undefined ? [] : [[name, body] as const];
  });
  return { ...filledIn(before, plain(nested, data)), ...Object.fromEntries(bodies) };
}

/** What a record does not show, and nobody has filled in, is nobody's change: an empty input tells nothing of it. */
function filledIn(before: Entries, data: Entries): Entries {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(data).filter(([name, value]) => before[name] !== undefined || !isEmpty(value)),
  );
}

/** Puts messages beside the entries of the form that they are about. */
function placedError(
  error: unknown,
  nested: readonly NestedRecords[],
  changes: readonly NestedChanges[],
): unknown {
  const body = (error as { body?: { errors?: Record<string, unknown> } } | undefined)?.body;
  if (body?.errors === undefined) return error;
  const placed = Object.entries(body.errors).map(([place, message]) => {
    const index = nested.findIndex(({ name }) => place.startsWith(`${name}.`));
    const [one, changed] = [nested[index], changes[index]];
    return [
      one === undefined || changed === undefined ? place : formPlace(one.name, changed, place),
      message,
    ];
  });
  return Object.assign(error as Error, { body: { ...body, errors: Object.fromEntries(placed) as object } });
}
