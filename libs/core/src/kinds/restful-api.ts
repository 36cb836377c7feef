import { checkRequestMethods, type Endpoint } from '../endpoint/endpoint.js';
import { EndpointGroup } from '../endpoint/endpoint.group.js';
import {
  inheritedOptions,
  type InheritedOptions,
  type PreconditionOptions,
} from '../endpoint/endpoint.options.js';
import type { InjectMap } from '../endpoint/injection.js';
import type { RemovalOptions } from '../endpoint/life.cycle.options.js';
import type { HttpMethod } from '../endpoint/http.method.js';
import type { ColumnNameOf } from '../model/column.name.js';
import type { SearchLimits } from '../query/search.body.js';
import { primaryKeyNameOf } from '../model/primary.key.js';
import { Create, type CreateOptions } from './create.js';
import { Delete, type DeleteOptions } from './delete.js';
import { Get, type GetOptions } from './get.js';
import { SimpleSearch, type SimpleSearchOptions } from './simple-search.js';
import { Update, type UpdateOptions } from './update.js';

type EndpointClass<Options> = new (options: Options) => Endpoint;

/** Parameters of {@link RestfulApi}; those of its five endpoints included. */
export interface RestfulApiOptions<E extends object, I extends InjectMap = InjectMap>
  extends
    Omit<CreateOptions<E, I>, 'url'>,
    Omit<SimpleSearchOptions<E>, 'url'>,
    RemovalOptions<E, I>,
    PreconditionOptions,
    SearchLimits {
  /** The base path. */
  readonly url?: string;
  /** Drops create, update and delete. Default false. */
  readonly readOnly?: boolean;
  /** Names the path parameter and the lookup column of get, update and delete. Default: the id column. */
  readonly idColumnName?: ColumnNameOf<NoInfer<E>>;
  /** A class replaces the kind of an operation, null drops the operation. */
  readonly createEndpoint?: EndpointClass<CreateOptions<E>> | null;
  readonly listEndpoint?: EndpointClass<SimpleSearchOptions<E>> | null;
  readonly getEndpoint?: EndpointClass<GetOptions<E>> | null;
  readonly updateEndpoint?: EndpointClass<UpdateOptions<E>> | null;
  readonly deleteEndpoint?: EndpointClass<DeleteOptions<E>> | null;
  /** Default POST. */
  readonly createRequestMethods?: readonly HttpMethod[];
  /** Default GET. */
  readonly listRequestMethods?: readonly HttpMethod[];
  /** Default GET. */
  readonly getRequestMethods?: readonly HttpMethod[];
  /** Default PATCH. */
  readonly updateRequestMethods?: readonly HttpMethod[];
  /** Default DELETE. */
  readonly deleteRequestMethods?: readonly HttpMethod[];
  /** Narrows all of them: an operation none of whose methods is here is not created. */
  readonly requestMethods?: readonly HttpMethod[];
}

/** Up to five endpoints over one model: create, list, get, update, delete (contract: RestfulApi). */
export class RestfulApi<
  E extends object = object,
  const I extends InjectMap = InjectMap,
> extends EndpointGroup {
  constructor(options: RestfulApiOptions<E, I>) {
    checkMethods(options);
    super({ url: options.url ?? '', endpoints: [...operationsOf(options)], ...parted(options).inherited });
  }
}

/** Here, because an operation none of whose methods is left is not created and could not complain. */
function checkMethods<E extends object, I extends InjectMap>(options: RestfulApiOptions<E, I>): void {
  const owner = `RestfulApi '${options.url ?? ''}'`;
  checkRequestMethods(owner, 'requestMethods', options.requestMethods);
  for (const operation of ['create', 'list', 'get', 'update', 'delete'] as const)
    checkRequestMethods(owner, `${operation}RequestMethods`, options[`${operation}RequestMethods`]);
}

/** Every member gets every option it knows; the group's own are inherited. */
function* operationsOf<E extends object, I extends InjectMap>(
  options: RestfulApiOptions<E, I>,
): Generator<Endpoint> {
  const {
    url: _url,
    readOnly = false,
    idColumnName,
    createEndpoint = Create,
    listEndpoint = SimpleSearch,
    getEndpoint = Get,
    updateEndpoint = Update,
    deleteEndpoint = Delete,
    requestMethods,
    ...shared
  } = parted(options).own;
  const narrowed = (methods: readonly HttpMethod[]): readonly HttpMethod[] =>
    requestMethods === undefined ? methods : methods.filter((method) => requestMethods.includes(method));
  const id = idColumnName ?? primaryKeyNameOf(options.modelClass) ?? 'id';
  const lookup = idColumnName === undefined ? {} : { recordLookupColumnName: idColumnName };
  const single = { ...shared, ...lookup, url: `:${id}` };
  const operations = [
    [listEndpoint, narrowed(options.listRequestMethods ?? ['GET']), shared],
    [readOnly ? null : createEndpoint, narrowed(options.createRequestMethods ?? ['POST']), shared],
    [getEndpoint, narrowed(options.getRequestMethods ?? ['GET']), single],
    [readOnly ? null : updateEndpoint, narrowed(options.updateRequestMethods ?? ['PATCH']), single],
    [readOnly ? null : deleteEndpoint, narrowed(options.deleteRequestMethods ?? ['DELETE']), single],
  ] as const;
  for (const [Kind, methods, known] of operations)
    if (Kind !== null && methods.length > 0)
      yield new (Kind as EndpointClass<object>)({ ...known, requestMethods: methods });
}

function parted<E extends object, I extends InjectMap>(
  options: RestfulApiOptions<E, I>,
): {
  readonly inherited: InheritedOptions;
  readonly own: Omit<RestfulApiOptions<E, I>, keyof InheritedOptions>;
} {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  const isInherited = ([name]: [string, unknown]): boolean => Object.hasOwn(inheritedOptions, name);
  return {
    inherited: Object.fromEntries(entries.filter(isInherited)),
    own: Object.fromEntries(entries.filter((entry) => !isInherited(entry))) as typeof options,
  };
}
