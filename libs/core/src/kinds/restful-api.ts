import { accessCheck } from '../access/operation.access.check.js';
import type { Access, Operation } from '../access/operation.access.js';
import { Endpoint } from '../endpoint/endpoint.js';
import {
  endpointChecks,
  requestMethods as methodsCheck,
  preconditionChecks,
  removalChecks,
} from '../endpoint/options/endpoint.checks.js';
import { EndpointGroup, ownerOf } from '../endpoint/endpoint.group.js';
import { checkOptions, type OptionRules } from '../options/checked.options.js';
import { boolean, check, objectWith } from '../options/checks.js';
import type { ChecksOf, OptionChecks } from '../options/option.check.js';
import { optionRulesOf } from '../options/option.rules.js';
import { searchLimitChecks } from '../request/list.checks.js';
import {
  inheritedOptions,
  type EndpointOptions,
  type InheritedOptions,
  type PreconditionOptions,
} from '../endpoint/options/endpoint.options.js';
import type { InjectMap } from '../endpoint/request/injection.js';
import type { RemovalOptions } from '../endpoint/options/life.cycle.options.js';
import type { HttpMethod } from '../endpoint/http.method.js';
import type { ColumnsOf } from '../model/column.name.js';
import type { NamesOf, OptionsOf } from '../endpoint/options/given.options.js';
import type { SearchLimits } from '../request/where.conditions.js';
import { primaryKeyNameOf } from '../model/primary.key.js';
import { Create, type CreateOptions } from './write/create.js';
import { Delete, type DeleteOptions } from './write/delete.js';
import { Get, type GetOptions } from './read/get.js';
import { SimpleSearch, type SimpleSearchOptions } from './read/simple-search.js';
import { Update, type UpdateOptions } from './write/update.js';
import { ConfigurationError } from '../wire/configuration.error.js';

type EndpointClass<Options> = new (options: Options) => Endpoint;

const memberOperations = [
  'list',
  'create',
  'get',
  'update',
  'delete',
] as const satisfies readonly Operation[];

type MemberOperation = (typeof memberOperations)[number];

/** Parameters of {@link RestfulApi}; those of its five endpoints included. */
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
    SearchLimits {
  /** The base path. */
  readonly url?: string;
  /**
   * The access to operations, e.g. `{ create: agents, delete: admins, list: 'public' }`. An authentication stands in place of
   * the API's, an authorization beside it. `public` asks nobody who they are; the rules around it hold all the same. Default
   * none.
   */
  readonly access?: Access<MemberOperation>;
  /** Drops create, update and delete. Default false. */
  readonly readOnly?: boolean;
  /** Names the path parameter and the lookup column of get, update and delete. Default: the id column. */
  readonly idColumnName?: ColumnsOf<Entity, NoInfer<E>>['own'];
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
  /**
   * The texts of single operations in generated documentation, e.g. `{ create: { summary: 'Found a city' }, delete: { hidden: true } }`.
   * What stands here goes before what the RestfulApi says for all of them.
   */
  readonly documentation?: Readonly<
    Partial<Record<MemberOperation, Pick<EndpointOptions, 'summary' | 'description' | 'tag' | 'hidden'>>>
  >;
  /** Narrows all of them: an operation none of whose methods is here is not created. */
  readonly requestMethods?: readonly HttpMethod[];
}

const endpointClass = check(
  'null, or a class of endpoints that extends ours or EndpointKind, not an instance of one',
  (value) => value === null || (typeof value === 'function' && value.prototype instanceof Endpoint),
);

const { summary, description, tag, hidden } = endpointChecks;
const texts = objectWith({ summary, description, tag, hidden });

/** The options that no member knows. */
const ownChecks = {
  access: accessCheck(memberOperations),
  documentation: objectWith({
    create: texts,
    list: texts,
    get: texts,
    update: texts,
    delete: texts,
  } satisfies ChecksOf<Record<MemberOperation, unknown>>),
  readOnly: boolean,
  idColumnName: check(
    'the name of a column',
    (value) => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value),
  ),
  createEndpoint: endpointClass,
  listEndpoint: endpointClass,
  getEndpoint: endpointClass,
  updateEndpoint: endpointClass,
  deleteEndpoint: endpointClass,
  createRequestMethods: methodsCheck,
  listRequestMethods: methodsCheck,
  getRequestMethods: methodsCheck,
  updateRequestMethods: methodsCheck,
  deleteRequestMethods: methodsCheck,
} as const satisfies ChecksOf<
  Omit<
    RestfulApiOptions<object>,
    | keyof CreateOptions<object>
    | keyof SimpleSearchOptions<object>
    | keyof RemovalOptions<object>
    | keyof PreconditionOptions
    | keyof SearchLimits
  >
>;

const customary = [Create, SimpleSearch, Get, Update, Delete] as const;

type Names = NamesOf<RestfulApiOptions<object>>;

/** Up to five endpoints over one model: create, list, get, update, delete (contract: RestfulApi). */
export class RestfulApi<
  E extends object = object,
  const I extends InjectMap = InjectMap,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  Text = string,
> extends EndpointGroup {
  /** The options, beside those of endpoints that replace ours. */
  static override readonly optionChecks: OptionChecks = {
    ...optionRulesOf(SimpleSearch).checks,
    ...optionRulesOf(Create).checks,
    ...removalChecks,
    ...preconditionChecks,
    ...searchLimitChecks,
    ...ownChecks,
  };

  readonly #members: ReadonlyMap<Endpoint, Operation>;

  constructor(
    options: OptionsOf<
      Entity,
      Names['all'],
      Names['required'],
      RestfulApiOptions<E, I, Entity, Readable, Text>,
      E
    >,
  ) {
    const owner = ownerOf(new.target.name, options);
    checkOptions(owner, options, rulesOf(Object(options) as Readonly<Record<string, unknown>>));
    if ((options.modelClass as unknown) === undefined)
      throw new ConfigurationError(owner, 'modelClass', 'is required');
    const members = new Map(membersOf(options as unknown as RestfulApiOptions<E>));
    const { url = '', access = {} } = options as unknown as RestfulApiOptions<E>;
    super({ url, access, endpoints: [...members.keys()], ...parted(options).inherited });
    this.#members = members;
  }

  /** A class that replaces ours does its operation, whatever it extends. */
  override operationOf(member: Endpoint): Operation {
    return this.#members.get(member) ?? member.operation;
  }

  /** The user wrote no member; only one that replaces ours has a name they know. */
  override memberAt(member: Endpoint, _path: string, ownPath: string): string {
    const api = `${this.constructor.name} '${ownPath}'`;
    return customary.some((kind) => member.constructor === kind) ? api : `${api} with ${member.kind}`;
  }

  override optionOf(_member: Endpoint, option: string): string {
    return option === 'recordLookupColumnName' ? 'idColumnName' : option;
  }
}

/** Makes the rules for the options of a RestfulApi: those of its own endpoints, and those that replace them. */
function rulesOf(options: Readonly<Record<string, unknown>>): OptionRules {
  const replacing = Object.keys(ownChecks)
    .filter((name) => name.endsWith('Endpoint'))
    .map((name) => options[name])
    .filter((kind) => typeof kind === 'function')
    .map(optionRulesOf);
  const checks = Object.assign(
    {},
    ...replacing.map((rules) => rules.checks),
    RestfulApi.optionChecks,
  ) as OptionChecks;
  return { checks, isOpen: replacing.some(({ isOpen }) => isOpen === true) };
}

/** Picks the options that an endpoint knows. A class that declares none may know any. */
function knownTo(kind: object, options: object): object {
  const { checks, isOpen } = optionRulesOf(kind);
  const entries = Object.entries(options).filter(([name]) => isOpen === true || Object.hasOwn(checks, name));
  return Object.fromEntries(entries);
}

/** Makes the members, each with its operation. */
function* membersOf<E extends object>(
  options: RestfulApiOptions<E>,
): Generator<[endpoint: Endpoint, operation: MemberOperation]> {
  const {
    readOnly = false,
    idColumnName,
    createEndpoint = Create,
    listEndpoint = SimpleSearch,
    getEndpoint = Get,
    updateEndpoint = Update,
    deleteEndpoint = Delete,
    documentation = {},
    requestMethods,
  } = options;
  const { shared } = parted(options);
  const narrowed = (methods: readonly HttpMethod[]): readonly HttpMethod[] =>
    requestMethods === undefined ? methods : methods.filter((method) => requestMethods.includes(method));
  const id = idColumnName ?? primaryKeyNameOf(options.modelClass) ?? 'id';
  const lookup = idColumnName === undefined ? {} : { recordLookupColumnName: idColumnName };
  const single = { ...shared, ...lookup, url: `:${id}` };
  const members = [
    ['list', listEndpoint, narrowed(options.listRequestMethods ?? ['GET']), shared],
    ['create', readOnly ? null : createEndpoint, narrowed(options.createRequestMethods ?? ['POST']), shared],
    ['get', getEndpoint, narrowed(options.getRequestMethods ?? ['GET']), single],
    ['update', readOnly ? null : updateEndpoint, narrowed(options.updateRequestMethods ?? ['PATCH']), single],
    [
      'delete',
      readOnly ? null : deleteEndpoint,
      narrowed(options.deleteRequestMethods ?? ['DELETE']),
      single,
    ],
  ] as const;
  for (const [operation, Kind, methods, known] of members)
    if (Kind !== null && methods.length > 0)
      yield [
        new (Kind as EndpointClass<object>)({
          ...knownTo(Kind, { ...known, ...documentation[operation] }),
          requestMethods: methods,
        }),
        operation,
      ];
}

/** Splits options into what members inherit, and what each of them is told. */
function parted(options: object): { readonly inherited: InheritedOptions; readonly shared: object } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  const isInherited = ([name]: [string, unknown]): boolean => Object.hasOwn(inheritedOptions, name);
  const isOwn = ([name]: [string, unknown]): boolean =>
    name === 'url' || name === 'requestMethods' || Object.hasOwn(ownChecks, name);
  return {
    inherited: Object.fromEntries(entries.filter(isInherited)),
    shared: Object.fromEntries(entries.filter((entry) => !isInherited(entry) && !isOwn(entry))),
  };
}
