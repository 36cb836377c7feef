import type { EntityName } from '@mikro-orm/core';
import { Public, type Authentication } from '../access/authentication.js';
import type { AuthorizationRule } from '../access/authorization.js';
import type { SecurityHeader } from '../access/security.header.js';
import type { PagingOptions } from '../query/paging.js';
import type { SearchLimits } from '../query/search.body.js';
import { Backend } from '../records/backends/backend.js';
import { statementModes, type StatementMode } from '../records/pool/native.pool.js';
import { casings, type Casing } from '../wire/casing.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
import { checkConsistencyOptions, type ConsistencyOptions } from './consistency/consistency.options.js';
import type { IdempotencySender, InheritedOptions, ResponseHeaders } from './endpoint.options.js';
import type { RowLevelSecurityOptions } from '../access/row.level.security.options.js';
import type { Secrets } from '../wire/secret.list.js';
import { checkServiceOptions, type ServiceOptions } from './service.options.js';

/** Options of the whole application, see `EndpointsModule.forRoot`. */
export interface RootOptions
  extends InheritedOptions, PagingOptions, SearchLimits, ServiceOptions, ConsistencyOptions {
  /** HTTP status of an answer with input errors. Default 400; 422 and 200 are customary too. */
  readonly inputErrorsStatus?: number;
  /** The largest request body in bytes. Default 1 MiB (1,048,576). */
  readonly bodyLimit?: number;
  /**
   * Whether a body without a content type is a 415. By default it is JSON, and any web page can have a browser send one
   * without asking first: set it where cookies tell who somebody is. Default false.
   */
  readonly requireContentType?: boolean;
  /** How deeply the JSON of a request body may be nested, in levels from 1 to 1,000. Default 64. More is a 400. */
  readonly maximumJsonDepth?: number;
  /**
   * Which paths without a controller are answered with the envelope: `all` of the application (default), or only
   * those below `own` urls.
   */
  readonly unknownPaths?: 'all' | 'own';
  /**
   * The secret that encrypts the cursors of keyset pages and the tokens of `readYourWrites`: the same in all processes of
   * a service, and long and random (`openssl rand -base64 32`): from 32 bytes. Of a list the first one encrypts and all
   * decrypt, so that a secret can be changed while the service runs. Default: a random one of this process, whose cursors
   * and tokens end with it.
   */
  readonly cursorSecret?: Secrets;
  /**
   * Whether the log tells at start-up which columns of large tables are sorted or searched by without an index, with
   * the statement that makes one. PostgreSQL only. Default false.
   */
  readonly adviseIndexes?: boolean;
  /**
   * How statements are sent to PostgreSQL. `prepared` (default) sends those that stand alone on MikroORM's pool,
   * prepared once per connection; `unprepared` does so without preparing them, for a pooler that gives each transaction
   * another connection (PgBouncer before 1.21), and is the default where `recommendedOptions` was told of one; `mikro-orm` uses MikroORM's connection for all, as on other databases.
   * Answers are the same.
   */
  readonly statements?: StatementMode;
  /**
   * Gives every request the session variables and the role of its sender, and one transaction that has them, so that
   * policies of PostgreSQL decide what it sees and writes. What they refuse is a 403. Default: none.
   */
  readonly rowLevelSecurity?: RowLevelSecurityOptions;
  /**
   * How long an `Idempotency-Key` and its answer are kept, in milliseconds from 1,000. Default 86,400,000: a day. Later
   * the same key is a new one.
   */
  readonly idempotencyKeyTime?: number;
  /** See {@link IdempotencySender}; for endpoints that have none of their own. */
  readonly idempotencySender?: IdempotencySender;
  /** Models whose records are not in MikroORM's database, and where they are instead. */
  readonly backends?: readonly BackendOfModel[];
}

/** A model that is served from a backend of the user's own. */
export interface BackendOfModel {
  /** The entity, which says which columns there are. */
  readonly modelClass: EntityName;
  readonly backend: Backend;
}

/** @throws ConfigurationError for values that types refuse, but JavaScript and the environment do not */
export function checkRootOptions(options: RootOptions): void {
  const refuse = (option: keyof RootOptions, allowed: string): never => {
    throw new ConfigurationError(
      'EndpointsModule.forRoot',
      option,
      `'${options[option] as string}' is not allowed; allowed: ${allowed}`,
    );
  };
  const {
    inputErrorsStatus = 400,
    bodyLimit = 1,
    maximumJsonDepth = 1,
    unknownPaths = 'all',
    statements = 'prepared',
    idempotencyKeyTime = 1000,
  } = options;
  if (!isStatusCode(inputErrorsStatus, 200, 499))
    refuse('inputErrorsStatus', 'a status code from 200 to 499');
  if (typeof (options.requireContentType ?? false) !== 'boolean') refuse('requireContentType', 'true, false');
  if (!Number.isSafeInteger(bodyLimit) || bodyLimit < 1)
    refuse('bodyLimit', 'a whole number of bytes from 1');
  checkServiceOptions(options);
  checkConsistencyOptions(options);
  if (!Number.isSafeInteger(maximumJsonDepth) || maximumJsonDepth < 1 || maximumJsonDepth > 1000)
    refuse('maximumJsonDepth', 'a whole number of levels from 1 to 1000');
  if (!Number.isSafeInteger(idempotencyKeyTime) || idempotencyKeyTime < 1000)
    refuse('idempotencyKeyTime', 'a whole number of milliseconds from 1000');
  checkBackends(options.backends ?? []);
  if (!['all', 'own'].includes(unknownPaths)) refuse('unknownPaths', 'all, own');
  if (!statementModes.includes(statements)) refuse('statements', statementModes.join(', '));
}

/** A model without its backend would be served from MikroORM's database. */
function checkBackends(backends: unknown): void {
  const refuse = (problem: string): never => {
    throw new ConfigurationError('EndpointsModule.forRoot', 'backends', problem);
  };
  if (!Array.isArray(backends)) return refuse('must be a list of { modelClass, backend }');
  const models = new Set<unknown>();
  for (const [index, entry] of backends.entries()) {
    const { modelClass, backend } = (entry ?? {}) as Partial<BackendOfModel>;
    if (modelClass === undefined) refuse(`entry ${index + 1} has no modelClass`);
    if (!(backend instanceof Backend)) refuse(`entry ${index + 1} has no backend that extends Backend`);
    if (models.has(modelClass)) refuse(`entry ${index + 1} is a second one of its modelClass`);
    models.add(modelClass);
  }
}

export function isStatusCode(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

/** What holds for one endpoint, or for a miss below a group, after inheritance. */
export interface Settings {
  readonly internalCasing: Casing;
  readonly externalCasing: Casing;
  readonly responseHeaders: ResponseHeaders;
  readonly securityHeaders: readonly SecurityHeader[];
  readonly authentication: Authentication;
  /** In milliseconds; 0 for none. */
  readonly timeout: number;
  /** In milliseconds; 0 for none. */
  readonly stallTimeout: number;
  /** All of them must allow a request. */
  readonly authorizations: readonly AuthorizationRule[];
  /** What documents list operations under; undefined for the entity. */
  readonly tag: string | undefined;
  /** Whether documents leave operations out. */
  readonly hidden: boolean;
}

/**
 * What an endpoint sets wins over its groups, the innermost first, and those over the application; authorization
 * adds up.
 *
 * @param layers options from the application inwards
 */
export function settingsOf(owner: string, layers: readonly InheritedOptions[]): Settings {
  const nearest = <K extends keyof InheritedOptions>(key: K): InheritedOptions[K] | undefined =>
    layers.findLast((layer) => layer[key] !== undefined)?.[key];
  return {
    internalCasing: casing(owner, 'internalCasing', nearest('internalCasing')),
    externalCasing: casing(owner, 'externalCasing', nearest('externalCasing')),
    responseHeaders: nearest('responseHeaders') ?? [],
    securityHeaders: nearest('securityHeaders') ?? [],
    authentication: nearest('authentication') ?? new Public(),
    timeout: milliseconds(owner, 'timeout', nearest('timeout')),
    stallTimeout: milliseconds(owner, 'stallTimeout', nearest('stallTimeout')),
    authorizations: layers.flatMap(({ authorization }) =>
      authorization === undefined ? [] : [authorization],
    ),
    tag: tagName(owner, nearest('tag')),
    hidden: truthValue(owner, 'hidden', nearest('hidden')),
  };
}

function tagName(owner: string, tag: unknown): string | undefined {
  if (tag === undefined || (typeof tag === 'string' && tag.trim() !== '')) return tag;
  throw new ConfigurationError(owner, 'tag', 'must be a text that is not empty');
}

function truthValue(owner: string, option: string, value: unknown = false): boolean {
  if (typeof value === 'boolean') return value;
  throw new ConfigurationError(owner, option, 'must be true or false');
}

function milliseconds(owner: string, option: string, value = 30_000): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new ConfigurationError(owner, option, `'${value}' is not a whole number of milliseconds from 0`);
}

function casing(owner: string, option: string, value: Casing = 'snake_case'): Casing {
  if (casings.includes(value)) return value;
  throw new ConfigurationError(owner, option, `'${value as string}' is unknown; ${oneOf(casings)}`);
}
