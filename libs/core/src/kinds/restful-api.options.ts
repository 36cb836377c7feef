import { accessCheck } from '../access/operation.access.check.js';
import type { Access, Operation } from '../access/operation.access.js';
import { Endpoint } from '../endpoint/endpoint.js';
import { endpointChecks, requestMethods as methodsCheck } from '../endpoint/options/endpoint.checks.js';
import { boolean, check, either, listOf, objectWith, oneOfTexts } from '../options/checks.js';
import type { ChecksOf } from '../options/option.check.js';
import type { EndpointOptions, PreconditionOptions } from '../endpoint/options/endpoint.options.js';
import type { InjectMap } from '../endpoint/request/injection.js';
import type { RemovalOptions } from '../endpoint/options/life.cycle.options.js';
import type { HttpMethod } from '../endpoint/http.method.js';
import type { ColumnsOf } from '../model/column.name.js';
import type { SearchLimits } from '../request/where.conditions.js';
import type { SegmentMemberOptions } from './segment.members.js';
import { segment, type TrashMemberOptions } from './trash.members.js';
import type { BulkOptions, BulkTargetOptions } from './bulk/bulk.options.js';
import type { ConflictOptions } from './bulk/bulk.conflict.js';
import type { CreateManyOptions } from './bulk/create-many.js';
import type { DeleteManyOptions } from './bulk/delete-many.js';
import type { UpdateManyOptions } from './bulk/update-many.js';
import { optionRulesOf } from '../options/option.rules.js';
import { History, type HistoryOptions } from './changes/history.js';
import type { CreateOptions } from './write/create.js';
import type { DeleteOptions } from './write/delete.js';
import type { GetOptions } from './read/get.js';
import type { SimpleSearchOptions } from './read/simple-search.js';
import type { UpdateOptions } from './write/update.js';
import type { UpsertOptions } from './write/upsert/upsert.options.js';

export type EndpointClass<Options> = new (options: Options) => Endpoint;

const memberOperations = [
  'list',
  'create',
  'get',
  'update',
  'upsert',
  'delete',
] as const satisfies readonly Operation[];

export type MemberOperation = (typeof memberOperations)[number];

export const bulkOperations = ['create', 'update', 'delete'] as const satisfies readonly MemberOperation[];

type BulkOperation = (typeof bulkOperations)[number];

/** The names of members in options. */
export type MemberName = MemberOperation | `${BulkOperation}Many`;

/** Parameters of a RestfulApi; those of its endpoints included. */
export interface RestfulApiOptions<
  E extends object,
  I extends InjectMap = InjectMap,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Text = string,
>
  extends
    Omit<CreateOptions<E, I, Entity, Readable>, 'url'>,
    Omit<SimpleSearchOptions<E, Entity, Readable, Text>, 'url'>,
    RemovalOptions<E, I>,
    PreconditionOptions,
    BulkOptions,
    Pick<CreateManyOptions<E, I, Entity, Readable>, 'conflictColumnNames' | 'onConflict'>,
    Pick<BulkTargetOptions, 'byConditions'>,
    SearchLimits,
    TrashMemberOptions,
    SegmentMemberOptions<E, I, Entity, Text> {
  /** The base path. */
  readonly url?: string;
  /**
   * The access to operations, e.g. `{ create: agents, delete: admins, list: 'public' }`. An authentication stands in place of
   * the API's, an authorization beside it. `public` asks nobody who they are; the rules around it hold all the same. Default
   * none.
   */
  readonly access?: Access<MemberOperation>;
  /**
   * True for writes of many records, or a list of those: POST, PATCH and DELETE at `bulkUrl`. `access` says who may as of the
   * operations for one record. Default false.
   */
  readonly bulk?: boolean | readonly BulkOperation[];
  /**
   * The segment of writes of many records. Default `bulk`; where records are called by a text, which could be that one, it must be
   * named.
   */
  readonly bulkUrl?: string;
  /**
   * True to add an Upsert at the url of single records, where clients choose the key. It needs what `access` says of create,
   * of update, and of upsert. Default false.
   */
  readonly upsert?: boolean;
  /**
   * True to add the History of single records at `<url>/:id/history`, or its options beside those of the API. It shows the
   * changes of readable columns of the entity's own table. Default false.
   */
  readonly history?: boolean | Partial<Omit<HistoryOptions<E>, 'modelClass' | 'url'>>;
  /** Drops create, update, upsert and delete, those of many records, too. Default false. */
  readonly readOnly?: boolean;
  /** Names the path parameter and the lookup column of get, update and delete. Default: the id column. */
  readonly idColumnName?: ColumnsOf<Entity, NoInfer<E>>['own'];
  /** A class replaces the kind of an operation, null drops the operation. */
  readonly createEndpoint?: EndpointClass<CreateOptions<E>> | null;
  readonly listEndpoint?: EndpointClass<SimpleSearchOptions<E>> | null;
  readonly getEndpoint?: EndpointClass<GetOptions<E>> | null;
  readonly updateEndpoint?: EndpointClass<UpdateOptions<E>> | null;
  readonly upsertEndpoint?: EndpointClass<UpsertOptions<E>> | null;
  readonly deleteEndpoint?: EndpointClass<DeleteOptions<E>> | null;
  readonly createManyEndpoint?: EndpointClass<CreateManyOptions<E>> | null;
  readonly updateManyEndpoint?: EndpointClass<UpdateManyOptions<E>> | null;
  readonly deleteManyEndpoint?: EndpointClass<DeleteManyOptions<E>> | null;
  /** Default POST. */
  readonly createRequestMethods?: readonly HttpMethod[];
  /** Default GET. */
  readonly listRequestMethods?: readonly HttpMethod[];
  /** Default GET. */
  readonly getRequestMethods?: readonly HttpMethod[];
  /** Default PATCH. */
  readonly updateRequestMethods?: readonly HttpMethod[];
  /** Default PUT. */
  readonly upsertRequestMethods?: readonly HttpMethod[];
  /** Default DELETE. */
  readonly deleteRequestMethods?: readonly HttpMethod[];
  /**
   * The texts of single operations in generated documentation, e.g. `{ create: { summary: 'Found a city' }, delete: { hidden: true } }`.
   * What stands here goes before what the RestfulApi says for all of them.
   */
  readonly documentation?: Readonly<
    Partial<Record<MemberName, Pick<EndpointOptions, 'summary' | 'description' | 'tag' | 'hidden' | 'tool'>>>
  >;
  /** Narrows all of them: an operation none of whose methods is here is not created. */
  readonly requestMethods?: readonly HttpMethod[];
}

export const usualBulkUrl = 'bulk';

const endpointClass = check(
  'null, or a class of endpoints that extends ours or EndpointKind, not an instance of one',
  (value) => value === null || (typeof value === 'function' && value.prototype instanceof Endpoint),
);

const { summary, description, tag, hidden, tool } = endpointChecks;
const texts = objectWith({ summary, description, tag, hidden, tool });

/** The checks of options that no member knows. */
export const ownChecks = {
  access: accessCheck(memberOperations),
  documentation: objectWith({
    create: texts,
    list: texts,
    get: texts,
    update: texts,
    upsert: texts,
    delete: texts,
    createMany: texts,
    updateMany: texts,
    deleteMany: texts,
  } satisfies ChecksOf<Record<MemberName, unknown>>),
  bulk: either(
    'true, false, or a list of create, update, delete',
    boolean,
    listOf('create, update, delete', oneOfTexts(...bulkOperations)),
  ),
  bulkUrl: segment,
  readOnly: boolean,
  upsert: boolean,
  history: either(
    'true, false, or the options of a History',
    boolean,
    objectWith(optionRulesOf(History).checks),
  ),
  idColumnName: check(
    'the name of a column',
    (value) => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value),
  ),
  createEndpoint: endpointClass,
  listEndpoint: endpointClass,
  getEndpoint: endpointClass,
  updateEndpoint: endpointClass,
  upsertEndpoint: endpointClass,
  deleteEndpoint: endpointClass,
  createManyEndpoint: endpointClass,
  updateManyEndpoint: endpointClass,
  deleteManyEndpoint: endpointClass,
  createRequestMethods: methodsCheck,
  listRequestMethods: methodsCheck,
  getRequestMethods: methodsCheck,
  updateRequestMethods: methodsCheck,
  upsertRequestMethods: methodsCheck,
  deleteRequestMethods: methodsCheck,
} as const satisfies ChecksOf<
  Omit<
    RestfulApiOptions<object>,
    | keyof CreateOptions<object>
    | keyof SimpleSearchOptions<object>
    | keyof RemovalOptions<object>
    | keyof PreconditionOptions
    | keyof BulkOptions
    | keyof ConflictOptions
    | 'byConditions'
    | keyof SearchLimits
    | keyof SegmentMemberOptions<object>
    | keyof TrashMemberOptions
  >
>;
