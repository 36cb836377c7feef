import type { EntityName } from '@mikro-orm/core';
import { authorization as authorizationCheck } from '../access/authorization.check.js';
import type { AuthorizationRule } from '../access/authorization.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { OwnSegment } from '../endpoint/endpoint.group.js';
import type { HttpMethod } from '../endpoint/http.method.js';
import { classOf } from '../model/column.definition.js';
import { primaryKeyNameOf } from '../model/primary.key.js';
import { softOptionsOf } from '../model/soft/soft.delete.js';
import { boolean, check, either, objectWith } from '../options/checks.js';
import type { ChecksOf } from '../options/option.check.js';
import { Get } from './read/get.js';
import { SimpleSearch } from './read/simple-search.js';
import { Purge } from './write/soft/purge.js';
import { Restore } from './write/soft/restore.js';

/** The trash of a RestfulApi. */
export interface TrashOptions {
  /** True for `POST <url>/trash/:id/restore`. Default true. */
  readonly restore?: boolean;
  /** True for `DELETE <url>/trash/:id`, which deletes for good. Default false. */
  readonly purge?: boolean;
  /** The segment of the trash. Default `trash`; where records are called by a text, which could be that one, it must be named. */
  readonly url?: string;
  /** A rule beside those of the API's `delete`. Default none. */
  readonly authorization?: AuthorizationRule;
}

/** The options of a RestfulApi that add its trash. */
export interface TrashMemberOptions {
  /**
   * True to add the deleted records at `<url>/trash`, and their Restore. Who may delete may see them. It takes an entity with
   * `softDelete`. Default false.
   */
  readonly trash?: boolean | TrashOptions;
}

/** The check of one segment of a path. */
export const segment = check(
  'one segment of a path, without parameters',
  (value) => typeof value === 'string' && /^[^/:{}?#\s]+$/.test(value),
);

const trash = objectWith({
  restore: boolean,
  purge: boolean,
  url: segment,
  authorization: authorizationCheck,
} satisfies ChecksOf<TrashOptions>);

export const trashChecks = {
  trash: either('true, false, or { restore, purge, url, authorization }', boolean, trash),
} as const satisfies ChecksOf<TrashMemberOptions>;

interface Given extends TrashMemberOptions {
  readonly modelClass: EntityName;
  readonly readOnly?: boolean | undefined;
  readonly requestMethods?: readonly HttpMethod[] | undefined;
}

type Shared = Readonly<Record<string, unknown>>;

const usualUrl = 'trash';

/** The members of a RestfulApi that are about its deleted records. They stand before those by id, whose key a segment could be. */
export class TrashMembers {
  readonly endpoints: ReadonlySet<Endpoint>;
  readonly #isNamed: boolean;

  /**
   * @param knownTo picks the options that a kind knows
   * @param shared the options that all members are told
   */
  constructor(given: Given, knownTo: (kind: object, options: object) => object, shared: object) {
    const options = given.trash === true ? {} : given.trash;
    this.#isNamed = typeof options === 'object' && options.url !== undefined;
    this.endpoints = new Set(options ? membersOf(given, options, knownTo, shared) : []);
  }

  /** The segment of a member that the user did not name. */
  ownSegmentOf(member: Endpoint): OwnSegment | undefined {
    if (this.#isNamed || !this.endpoints.has(member)) return undefined;
    return { option: 'trash.url', segment: usualUrl };
  }
}

function* membersOf(
  { modelClass, readOnly = false, requestMethods }: Given,
  { restore = true, purge = false, url = usualUrl, authorization }: TrashOptions,
  knownTo: (kind: object, options: object) => object,
  shared: object,
): Generator<Endpoint> {
  const { recordLookupColumnName: _, ...told } = shared as Shared;
  const of = `${url}/:${primaryKeyNameOf(modelClass) ?? 'id'}`;
  const listed = { ...told, ...withMark(modelClass, told), records: 'deleted', authorization };
  const written = { ...told, authorization };
  const members = [
    [SimpleSearch, 'GET', { ...listed, url }],
    [Get, 'GET', { ...listed, url: of }],
    [readOnly || !restore ? null : Restore, 'POST', { ...written, url: `${of}/restore` }],
    [readOnly || !purge ? null : Purge, 'DELETE', { ...written, url: of }],
  ] as const;
  for (const [Kind, method, options] of members) {
    if (Kind === null || requestMethods?.includes(method) === false) continue;
    const Made = Kind as new (options: object) => Endpoint;
    yield new Made({ ...knownTo(Kind, options), requestMethods: [method] });
  }
}

/** The trash shows when a record was deleted, and is sorted by it where clients want it. */
function withMark(modelClass: EntityName, told: Shared): Shared {
  const columnName = softOptionsOf(classOf(modelClass))?.columnName;
  if (columnName === undefined) return {};
  const names = ['readableColumnNames', 'sortableColumnNames'] as const;
  return Object.fromEntries(
    names.map((name) => [name, [...new Set([...((told[name] ?? []) as readonly string[]), columnName])]]),
  );
}
