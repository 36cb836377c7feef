import {
  EndpointsClient,
  type ClientOptions,
  type RecordData,
  type Records,
  type VersionedRecord,
  type WriteOptions,
} from '@nest-endpoints/client';
import type { CustomParams, DataProvider, GetListParams, MetaQuery } from '@refinedev/core';
import { conditionsOf } from './crud.conditions.js';
import { providerError } from './provider.error.js';

/** A data provider with the client that it asks: for what is known of resources. All methods are there. */
export type EndpointsDataProvider = Required<DataProvider> & { readonly client: EndpointsClient };

/** The records of a page of refine, where nobody says. */
const usualPageSize = 10;

/**
 * Makes a data provider of refine for a service of Nest Endpoints. It reads `/schema` once, and needs to be told nothing else.
 * `meta` of any call takes `fields`, `include` and `path`; that of an update and a delete `version`, which `getOne` gives beside
 * the record, or `previous`, the record as it was seen.
 *
 * @param options the address of the service, or options of a client, such as a token
 * @example
 * const dataProvider = endpointsProvider({ url: 'https://atlas.example', token: () => sessionStorage.getItem('token') });
 */
export function endpointsProvider(options: ClientOptions | string | EndpointsClient): EndpointsDataProvider {
  const client = options instanceof EndpointsClient ? options : new EndpointsClient(options);
  const guarded: Guarded = async (act) => {
    try {
      return await act();
    } catch (error) {
      throw providerError(error);
    }
  };
  const on: OnRecords = (resource, act) => guarded(async () => act(await client.records(resource)));
  const own = {
    getApiUrl: () => client.url,
    custom: (params: CustomParams) => guarded(() => asked(client, params)),
  };
  // Whoever calls says of what type its records are: nobody can know that here.
  const methods = {
    ...reads(on),
    ...writes(on),
    ...bulkWrites(on),
    ...own,
  } as unknown as Required<DataProvider>;
  return { ...methods, client };
}

/** Does something, and makes an error of it one of refine. */
type Guarded = <T>(act: () => Promise<T>) => Promise<T>;

/** Does something with the records of a resource. */
type OnRecords = <T>(resource: string, act: (records: Records) => Promise<T>) => Promise<T>;

/** The methods of a data provider by their names: what they take, and records of whatever type. */
type Methods<Name extends keyof DataProvider> = {
  readonly [N in Name]-?: (params: Parameters<Required<DataProvider>[N]>[0] & object) => Promise<object>;
};

function reads(on: OnRecords): Methods<'getList' | 'getOne' | 'getMany'> {
  return {
    getList: (params) => on(params.resource, (records) => listed(records, params)),
    getOne: ({ resource, id, meta }) =>
      on(resource, async (records) => versioned(await records.get(id, optionsOf(meta)))),
    getMany: ({ resource, ids, meta }) =>
      on(resource, async (records) => ({ data: await records.getMany(ids, optionsOf(meta)) })),
  };
}

function versioned({ record, version }: VersionedRecord): object {
  return { data: record, version };
}

function writes(on: OnRecords): Methods<'create' | 'update' | 'deleteOne'> {
  return {
    create: ({ resource, variables, meta }) =>
      on(resource, async (records) =>
        versioned(await records.create(variables as RecordData, optionsOf(meta))),
      ),
    update: ({ resource, id, variables, meta }) =>
      on(resource, async (records) =>
        versioned(await records.update(id, variables as RecordData, optionsOf(meta))),
      ),
    deleteOne: ({ resource, id, meta }) =>
      on(resource, async (records) => {
        await records.delete(id, optionsOf(meta));
        return { data: { id } };
      }),
  };
}

function bulkWrites(on: OnRecords): Methods<'createMany' | 'updateMany' | 'deleteMany'> {
  return {
    createMany: ({ resource, variables, meta }) =>
      on(resource, async (records) => ({
        data: await records.createMany(variables as readonly RecordData[], optionsOf(meta)),
      })),
    updateMany: ({ resource, ids, variables, meta }) =>
      on(resource, async (records) => ({
        data: await records.updateMany(ids, variables as RecordData, optionsOf(meta)),
      })),
    deleteMany: ({ resource, ids, meta }) =>
      on(resource, async (records) => {
        await records.deleteMany(ids, optionsOf(meta));
        return { data: ids.map((id) => ({ id })) };
      }),
  };
}

type ListParams = Pick<GetListParams, 'pagination' | 'filters' | 'sorters'> & {
  readonly meta?: MetaQuery | undefined;
};

/**
 * A page in the form of refine. It wants a total: where the service does not count, it is as much as is known, and `cursor` tells
 * infinite lists whether there is more.
 */
async function listed(records: Records, { pagination, filters, sorters, meta }: ListParams): Promise<object> {
  const { currentPage = 1, pageSize = usualPageSize, mode = 'server' } = pagination ?? {};
  const isPaged = mode === 'server';
  const start = isPaged ? (currentPage - 1) * pageSize : 0;
  const found = await records.list({
    ...optionsOf(meta),
    conditions: conditionsOf(filters),
    sorts: (sorters ?? []).map(({ field, order }) => ({ column: field, direction: order })),
    start,
    limit: isPaged ? pageSize : Infinity,
  });
  const { total, hasNext } = found;
  if (total !== undefined) return { data: found.records, total };
  const cursor = {
    next: hasNext ? currentPage + 1 : undefined,
    prev: start > 0 ? currentPage - 1 : undefined,
  };
  return { data: found.records, total: start + found.records.length + (hasNext ? 1 : 0), cursor };
}

/**
 * Any endpoint of the service: `url` is below its own, or the whole address of one. With filters and sorters it is a list of
 * records.
 */
async function asked(client: EndpointsClient, params: CustomParams): Promise<object> {
  const { url, method, payload, query, headers, meta } = params;
  const path = url.startsWith(`${client.url}/`) ? url.slice(client.url.length) : url;
  if (URL.canParse(path))
    throw new TypeError(`${path} is not below ${client.url}: its token is not sent elsewhere`);
  const { filters = [], sorters = [] } = params;
  if (filters.length + sorters.length > 0)
    return listed(await client.records(path), { pagination: { mode: 'off' }, filters, sorters, meta });
  const values = Object.entries(
    (query ?? {}) as Readonly<Record<string, string | number | boolean | Date | undefined>>,
  );
  const given = values.flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value instanceof Date ? value.toISOString() : value)]],
  );
  const { data } = await client.send({
    ...{ method, path, query: new URLSearchParams(given), body: payload },
    headers: (headers as Readonly<Record<string, string>> | undefined) ?? {},
    signal: optionsOf(meta).signal,
  });
  return { data };
}

function optionsOf(
  meta: MetaQuery | undefined,
): WriteOptions & { readonly signal?: AbortSignal | undefined } {
  const { fields, include, path, version, previous } = (meta ?? {}) as WriteOptions;
  return { fields, include, path, version, previous, signal: meta?.queryContext?.signal };
}
