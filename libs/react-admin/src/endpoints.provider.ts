import {
  EndpointsClient,
  type ClientOptions,
  type ReadOptions,
  type RecordData,
  type RecordPage,
  type Records,
} from '@nest-endpoints/client';
import type { DataProvider, GetListParams, GetListResult, Identifier } from 'ra-core';
import { conditionsOf } from './list.filter.js';
import { providerError } from './provider.error.js';

/** A data provider with the client that it asks: for endpoints that are no resources, and for what is known of these. */
export type EndpointsDataProvider = DataProvider & { readonly client: EndpointsClient };

/**
 * Makes a data provider of react-admin for a service of Nest Endpoints. It reads `/schema` once, and needs to be told nothing
 * else. `meta` of any call takes `fields`, `include` and `path`.
 *
 * @param options the address of the service, or options of a client, such as a token
 * @example
 * const dataProvider = endpointsProvider({ url: 'https://atlas.example', token: () => sessionStorage.getItem('token') });
 */
export function endpointsProvider(options: ClientOptions | string | EndpointsClient): EndpointsDataProvider {
  const client = options instanceof EndpointsClient ? options : new EndpointsClient(options);
  const on = async <T>(resource: string, act: (records: Records) => Promise<T>): Promise<T> => {
    try {
      return await act(await client.records(resource));
    } catch (error) {
      throw providerError(error);
    }
  };
  // Whoever calls says of what type its records are: nobody can know that here.
  const methods = { ...reads(on), ...writes(on) } as unknown as DataProvider;
  return { ...methods, client, supportAbortSignal: true };
}

/** Does something with the records of a resource. */
type OnRecords = <T>(resource: string, act: (records: Records) => Promise<T>) => Promise<T>;

/** The methods of a data provider by their names: what they take, and records of whatever type. */
type Methods<Name extends string & keyof DataProvider> = {
  readonly [N in Name]: (resource: string, params: Parameters<DataProvider[N]>[1]) => Promise<object>;
};

function reads(on: OnRecords): Methods<'getList' | 'getOne' | 'getMany' | 'getManyReference'> {
  return {
    getList: (resource, params) => on(resource, (records) => listed(records, params)),
    getManyReference: (resource, { target, id, ...params }) => {
      const filter = { ...(params.filter as object | undefined), [target]: id };
      return on(resource, (records) => listed(records, { ...params, filter }));
    },
    getOne: (resource, { id, meta, signal }) =>
      on(resource, async (records) => {
        const { record } = await records.get(id, optionsOf(meta, signal));
        return { data: record };
      }),
    getMany: (resource, { ids, meta, signal }) =>
      on(resource, async (records) => ({
        data: await records.getMany(ids, optionsOf(meta, signal)),
      })),
  };
}

function writes(on: OnRecords): Methods<'create' | 'update' | 'updateMany' | 'delete' | 'deleteMany'> {
  return {
    create: (resource, { data, meta }) =>
      on(resource, async (records) => {
        const { record } = await records.create(data, optionsOf(meta));
        return { data: record };
      }),
    update: (resource, { id, data, previousData, meta }) =>
      on(resource, async (records) => {
        const options = { ...optionsOf(meta), previous: seen(previousData) };
        const { record } = await records.update(id as Identifier, data, options);
        return { data: record };
      }),
    updateMany: (resource, { ids, data, meta }) =>
      on(resource, async (records) => {
        await records.updateMany(ids, data, optionsOf(meta));
        return { data: ids };
      }),
    delete: (resource, { id, previousData, meta }) =>
      on(resource, async (records) => {
        const previous = seen(previousData);
        await records.delete(id, { ...optionsOf(meta), previous });
        return { data: previous ?? { id: id } };
      }),
    deleteMany: (resource, { ids, meta }) =>
      on(resource, async (records) => {
        await records.deleteMany(ids, optionsOf(meta));
        return { data: ids };
      }),
  };
}

async function listed(records: Records, params: GetListParams): Promise<object> {
  const { pagination, sort, signal } = params;
  const { page = 1, perPage } = pagination ?? {};
  const start = perPage === undefined ? 0 : (page - 1) * perPage;
  const found = await records.list({
    ...optionsOf(params.meta, signal),
    conditions: conditionsOf(records.resource, params.filter),
    sorts:
      sort === undefined ? [] : [{ column: sort.field, direction: sort.order === 'DESC' ? 'desc' : 'asc' }],
    start,
    limit: perPage,
  });
  return { data: found.records, ...positionOf(found, start) };
}

/** react-admin counts, or is told whether there is more. */
function positionOf(
  { total, hasNext }: RecordPage,
  start: number,
): Pick<GetListResult, 'total' | 'pageInfo'> {
  if (total !== undefined) return { total };
  return { pageInfo: { hasNextPage: hasNext, hasPreviousPage: start > 0 } };
}

/** Undone edits have a record of nothing but the id; a list may not have read what a form shows. */
function seen(previous: unknown): RecordData | undefined {
  return typeof previous === 'object' && previous !== null ? (previous as RecordData) : undefined;
}

function optionsOf(meta: unknown, signal?: AbortSignal): ReadOptions {
  const { fields, include, path } = (meta ?? {}) as ReadOptions;
  return { fields, include, path, signal };
}
