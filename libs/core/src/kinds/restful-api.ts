import type { Operation } from '../access/operation.access.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { preconditionChecks, removalChecks } from '../endpoint/options/endpoint.checks.js';
import { EndpointGroup, ownerOf, type OwnSegment } from '../endpoint/endpoint.group.js';
import { checkOptions, type OptionRules } from '../options/checked.options.js';
import type { OptionChecks } from '../options/option.check.js';
import { optionRulesOf } from '../options/option.rules.js';
import { searchLimitChecks } from '../request/list.checks.js';
import { inheritedOptions, type InheritedOptions } from '../endpoint/options/endpoint.options.js';
import type { InjectMap } from '../endpoint/request/injection.js';
import type { HttpMethod } from '../endpoint/http.method.js';
import type { ColumnsOf } from '../model/column.name.js';
import type { NamesOf, OptionsOf } from '../endpoint/options/given.options.js';
import { primaryKeyNameOf } from '../model/primary.key.js';
import { bulkChecks, byConditionsCheck } from './bulk/bulk.options.js';
import { History } from './changes/history.js';
import { conflictChecks, isUpserting } from './bulk/bulk.conflict.js';
import { CreateMany } from './bulk/create-many.js';
import { DeleteMany } from './bulk/delete-many.js';
import { UpdateMany } from './bulk/update-many.js';
import { SegmentMembers, segmentMemberChecks } from './segment.members.js';
import { TrashMembers, trashChecks } from './trash.members.js';
import {
  bulkOperations,
  ownChecks,
  usualBulkUrl,
  type EndpointClass,
  type MemberName,
  type MemberOperation,
  type RestfulApiOptions,
} from './restful-api.options.js';
import { Create } from './write/create.js';
import { Delete } from './write/delete.js';
import { Get } from './read/get.js';
import { SimpleSearch } from './read/simple-search.js';
import { Update } from './write/update.js';
import { Upsert } from './write/upsert/upsert.js';
import { ConfigurationError } from '../wire/configuration.error.js';

const customary = [
  Create,
  SimpleSearch,
  Get,
  Update,
  Upsert,
  Delete,
  CreateMany,
  UpdateMany,
  DeleteMany,
  History,
] as const;

/** The options that members are told, and the API has not itself. */
const ofMembers: readonly string[] = ['records', 'recordLookupColumnName'];

/** An option that adds members. */
type AddingOption = 'aggregate' | 'facets' | 'export' | 'import' | 'trash' | 'history' | 'upsert' | 'bulk';

type Names = NamesOf<RestfulApiOptions<object>>;

/** Endpoints over one model: create, list, get, update, delete (contract: RestfulApi), upsert, and those of `bulk`. */
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
    ...bulkChecks,
    ...conflictChecks,
    ...byConditionsCheck,
    ...searchLimitChecks,
    ...segmentMemberChecks,
    ...trashChecks,
    ...ownChecks,
  };

  readonly #members: ReadonlyMap<Endpoint, Operation>;
  readonly #added: ReadonlyMap<Endpoint, AddingOption>;
  readonly #given: object;
  readonly #segments: SegmentMembers;
  readonly #trash: TrashMembers;
  readonly #isBulkUrlNamed: boolean;

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
    const given = options as unknown as RestfulApiOptions<E>;
    const segments = new SegmentMembers(given, knownTo, parted(options).shared);
    const own = [...segments.endpoints].map(
      ([member, { name, operation }]) => [member, operation, name] as const,
    );
    const trash = new TrashMembers(given, knownTo, parted(options).shared);
    const removed = [...trash.endpoints].map((member) => [member, 'delete', 'trash'] as const);
    const all = [...own, ...removed, ...historyOf(given), ...membersOf(given)];
    const members = new Map<Endpoint, Operation>(all.map(([member, operation]) => [member, operation]));
    const { url = '', access = {} } = given;
    super({ url, access, endpoints: [...members.keys()], ...parted(options).inherited });
    this.#members = members;
    this.#added = new Map(
      all.flatMap(([member, , option]) => (option === undefined ? [] : [[member, option]])),
    );
    this.#given = given;
    this.#segments = segments;
    this.#trash = trash;
    this.#isBulkUrlNamed = Object.hasOwn(options, 'bulkUrl');
  }

  /** A class that replaces ours does its operation, whatever it extends. */
  override operationOf(member: Endpoint): Operation {
    return this.#members.get(member) ?? member.operation;
  }

  /** The user wrote no member; only one that replaces ours has a name they know. */
  override memberAt(member: Endpoint, _path: string, ownPath: string): string {
    const api = `${this.constructor.name} '${ownPath}'`;
    const isCustomary = customary.some((kind) => member.constructor === kind);
    const isOurs = isCustomary || this.#segments.endpoints.has(member) || this.#trash.endpoints.has(member);
    return isOurs ? api : `${api} with ${member.kind}`;
  }

  /** The segment that nobody has named: a record may be called so. */
  override ownSegmentOf(member: Endpoint): OwnSegment | undefined {
    if (this.#segments.endpoints.has(member)) return this.#segments.ownSegmentOf(member);
    if (this.#trash.endpoints.has(member)) return this.#trash.ownSegmentOf(member);
    const isBulk = member.options.url === usualBulkUrl;
    return isBulk && !this.#isBulkUrlNamed ? { option: 'bulkUrl', segment: usualBulkUrl } : undefined;
  }

  override addedBy(member: Endpoint): AddingOption | undefined {
    return this.#added.get(member);
  }

  /** An option that the API has told a member is that of the user's which has added the member. */
  override optionOf(member: Endpoint, option: string): string {
    const adding = this.addedBy(member);
    const own: unknown = adding === undefined ? undefined : Reflect.get(this.#given, adding);
    if (typeof own === 'object' && own !== null && Object.hasOwn(own, option)) return `${adding}.${option}`;
    const name = option === 'recordLookupColumnName' ? 'idColumnName' : option;
    const isOurs = ofMembers.includes(option) && !Object.hasOwn(this.#given, name);
    return isOurs && adding !== undefined ? adding : name;
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

type Member = [endpoint: Endpoint, operation: MemberOperation, addedBy: AddingOption | undefined];

/** Makes the members, each with its operation. */
function* membersOf<E extends object>(options: RestfulApiOptions<E>): Generator<Member> {
  const {
    readOnly = false,
    upsert = false,
    idColumnName,
    createEndpoint = Create,
    listEndpoint = SimpleSearch,
    getEndpoint = Get,
    updateEndpoint = Update,
    upsertEndpoint = Upsert,
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
  // What is said of many is not about the one that the path names.
  const byPath = { ...single, conflictColumnNames: undefined };
  const many = { ...shared, ...lookup, url: options.bulkUrl ?? usualBulkUrl };
  const upserting = readOnly || !upsert ? null : upsertEndpoint;
  const written = <Kind>(kind: Kind): Kind | null => (readOnly ? null : kind);
  const members = [
    ['list', listEndpoint, narrowed(options.listRequestMethods ?? ['GET']), shared],
    ['create', written(createEndpoint), narrowed(options.createRequestMethods ?? ['POST']), shared],
    ...bulkMembers(options).map(
      ([operation, Kind, method]) => [operation, Kind, narrowed([method]), many] as const,
    ),
    ['get', getEndpoint, narrowed(options.getRequestMethods ?? ['GET']), single],
    ['update', written(updateEndpoint), narrowed(options.updateRequestMethods ?? ['PATCH']), single],
    ['upsert', upserting, narrowed(options.upsertRequestMethods ?? ['PUT']), byPath],
    ['delete', written(deleteEndpoint), narrowed(options.deleteRequestMethods ?? ['DELETE']), single],
  ] as const;
  for (const [operation, Kind, methods, known] of members)
    if (Kind !== null && methods.length > 0)
      yield [
        new (Kind as EndpointClass<object>)({
          ...knownTo(Kind, { ...known, ...documentation[operation] }),
          requestMethods: methods,
        }),
        operation === 'createMany' && isUpserting(options) ? 'upsert' : operationOf(operation),
        operation === 'upsert' ? operation : operation.endsWith('Many') ? 'bulk' : undefined,
      ];
}

/** The History of single records, where one is wanted. Who may read a record may read what it was. */
function* historyOf<E extends object>(options: RestfulApiOptions<E>): Generator<Member> {
  const { history = false, idColumnName, requestMethods, readableColumnNames } = options;
  if (history === false || requestMethods?.includes('GET') === false) return;
  const id = idColumnName ?? primaryKeyNameOf(options.modelClass) ?? 'id';
  const lookup = idColumnName === undefined ? {} : { recordLookupColumnName: idColumnName };
  const own = (readableColumnNames as readonly string[]).filter((name) => !name.includes('.'));
  const given = {
    ...knownTo(History, parted(options).shared),
    ...lookup,
    readableColumnNames: own,
    ...(history === true ? {} : history),
    url: `:${id}/history`,
    requestMethods: ['GET'],
  };
  yield [new (History as unknown as EndpointClass<object>)(given), 'get', 'history'];
}

/** The writes of many records, with the kinds that do them. */
function bulkMembers<E extends object>({
  bulk = false,
  readOnly = false,
  createManyEndpoint = CreateMany,
  updateManyEndpoint = UpdateMany,
  deleteManyEndpoint = DeleteMany,
}: RestfulApiOptions<E>) {
  const wanted: readonly string[] = bulk === true ? bulkOperations : bulk || [];
  const members = [
    ['createMany', createManyEndpoint, 'POST'],
    ['updateMany', updateManyEndpoint, 'PATCH'],
    ['deleteMany', deleteManyEndpoint, 'DELETE'],
  ] as const;
  return readOnly ? [] : members.filter(([name]) => wanted.includes(operationOf(name)));
}

/** The operation of a member, as `access` names it: what is allowed for one record is for many. */
function operationOf(name: MemberName): MemberOperation {
  return name.replace(/Many$/, '') as MemberOperation;
}

/** Splits options into what members inherit, and what each of them is told. */
function parted(options: object): { readonly inherited: InheritedOptions; readonly shared: object } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  const isInherited = ([name]: [string, unknown]): boolean => Object.hasOwn(inheritedOptions, name);
  const isOwn = ([name]: [string, unknown]): boolean =>
    name === 'url' ||
    name === 'requestMethods' ||
    Object.hasOwn(ownChecks, name) ||
    Object.hasOwn(segmentMemberChecks, name) ||
    Object.hasOwn(trashChecks, name);
  return {
    inherited: Object.fromEntries(entries.filter(isInherited)),
    shared: Object.fromEntries(entries.filter((entry) => !isInherited(entry) && !isOwn(entry))),
  };
}
