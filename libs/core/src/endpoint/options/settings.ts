import type { EntityName } from '@mikro-orm/core';
import { Public, type Authentication } from '../../access/authentication.js';
import type { AuthorizationRule } from '../../access/authorization.js';
import type { Limit } from '../../access/limits/limit.js';
import type { ParentRule } from '../../access/parent.rule.js';
import type { PartitionOptions, PartitionRule } from '../../access/partition.rule.js';
import type { SecurityHeader } from '../../access/security.header.js';
import type { LiveStreams } from '../live/live.streams.js';
import type { ChangeLogOptions } from '../request/change.origins.js';
import type { Answers } from '../answers/answers.js';
import { StandardAnswers } from '../answers/standard.answers.js';
import { Deprecation } from '../versions/deprecation.js';
import type { PagingOptions } from '../../query/paging.js';
import type { SearchLimits } from '../../request/where.conditions.js';
import type { Backend } from '../../records/backends/backend.js';
import type { StatementMode } from '../../database/pool/statement.mode.js';
import type { Casing } from '../../wire/casing.js';
import type { ConsistencyOptions } from '../../replicas/consistency.options.js';
import type { IdempotencySender, InheritedOptions, ResponseHeaders } from './endpoint.options.js';
import type { SchemaOptions } from '../schemas/schema.options.js';
import type { RowLevelSecurityOptions } from '../../access/row.level.security.options.js';
import type { Secrets } from '../../wire/secret.list.js';
import type { ServiceOptions } from './service.options.js';

/** Options of the whole application, see `EndpointsModule.forRoot`. */
export interface RootOptions
  extends InheritedOptions, PagingOptions, SearchLimits, ServiceOptions, ConsistencyOptions, SchemaOptions {
  /** HTTP status of an answer with input errors. Default 400; 422 and 200 are customary too. */
  readonly inputErrorsStatus?: number;
  /** The largest request body in bytes. Default 1 MiB (1,048,576). */
  readonly bodyLimit?: number;
  /**
   * True to answer a body without a content type with 415. By default it is JSON, and any web page can have a browser
   * send one without asking first: set it where cookies tell who somebody is. Default false.
   */
  readonly requireContentType?: boolean;
  /** The depth to which the JSON of a request body may be nested, in levels from 1 to 1,000. Default 64. More is a 400. */
  readonly maximumJsonDepth?: number;
  /**
   * The paths without a controller that are answered as endpoints are: `all` of the application (default), or only those
   * below `own` urls.
   */
  readonly unknownPaths?: 'all' | 'own';
  /**
   * The secret that encrypts the cursors of keyset pages and the tokens of `readYourWrites`. It is the same in all
   * processes of a service, random, and at least 32 bytes long (`openssl rand -base64 32`). Of a list the first one
   * encrypts and all decrypt, so that a secret can be changed while the service runs. Default: a random one of this
   * process, whose cursors and tokens end with it.
   */
  readonly cursorSecret?: Secrets;
  /**
   * True to log at start-up which columns of large tables are sorted or searched by without an index, with the statement
   * that makes one. PostgreSQL only. Default false.
   */
  readonly adviseIndexes?: boolean;
  /**
   * The way in which statements are sent to PostgreSQL. Answers are the same. `prepared` (default) sends those that stand
   * alone on MikroORM's pool, prepared once per connection. `unprepared` does so without preparing them, for a pooler
   * that gives each transaction another connection (PgBouncer before 1.21); it is the default where `recommendedOptions`
   * was told of one. `mikro-orm` uses MikroORM's connection for all, as on other databases.
   */
  readonly statements?: StatementMode;
  /**
   * True to send quick reads that requests ask for at the same time in one message: records by their keys or another unique
   * value. A client that is alone notices nothing, many at once take less CPU of the service and of PostgreSQL. PostgreSQL
   * only. Default true.
   */
  readonly gatherReads?: boolean;

  /**
   * The road of requests. `straight` (default) leads past Nest and the HTTP platform to endpoints around which nothing of
   * your own stands, such as a guard, an interceptor, or middleware; all others go the platform's. `platform` sends all
   * requests there. Answers are the same.
   */
  readonly road?: 'straight' | 'platform';
  /**
   * Gives every request the session variables and the role of its sender, and one transaction that has them, so that
   * policies of PostgreSQL decide what it sees and writes. What they refuse is a 403. Default: none.
   */
  readonly rowLevelSecurity?: RowLevelSecurityOptions;
  /**
   * The time that an `Idempotency-Key` and its answer are kept, in milliseconds from 1,000. Default 86,400,000: a day.
   * Later the same key is a new one.
   */
  readonly idempotencyKeyTime?: number;
  /** See {@link IdempotencySender}; for endpoints that have none of their own. */
  readonly idempotencySender?: IdempotencySender;
  /**
   * The column by which rows are parted among tenants: every statement of an endpoint names it for every table that has
   * it, new records get it, and none is moved. Default: none.
   */
  readonly partition?: PartitionOptions;
  /** The names and facts of requests in the log of changes, see `recordChanges`. Default: who sent them. */
  readonly changeLog?: ChangeLogOptions;
  /** The streams of endpoints with `live`: `new LiveLists()` of `@nest-endpoints/live`. Default: none. */
  readonly live?: LiveStreams;
  /** Models whose records are not in MikroORM's database, and where they are instead. */
  readonly backends?: readonly BackendOfModel[];
}

/** A model that is served from a backend of the user's own. */
export interface BackendOfModel {
  /** The entity, which says which columns there are. */
  readonly modelClass: EntityName;
  readonly backend: Backend;
}

/** The settings of one endpoint, or of a miss below a group, after inheritance. */
export interface Settings {
  readonly internalCasing: Casing;
  readonly externalCasing: Casing;
  readonly answers: Answers;
  readonly responseHeaders: ResponseHeaders;
  readonly securityHeaders: readonly SecurityHeader[];
  readonly authentication: Authentication;
  /** The time limit of an answer, in milliseconds; 0 for none. */
  readonly timeout: number;
  /** In milliseconds; 0 for none. */
  readonly stallTimeout: number;
  /** All of them must allow a request. */
  readonly authorizations: readonly AuthorizationRule[];
  /** The partition of the application as one more rule; undefined where there is none. */
  readonly partition?: PartitionRule | undefined;
  /** The parent that the path names as one more rule; undefined where there is none. */
  readonly parent?: ParentRule | undefined;
  /** The tag that documents list operations under; undefined for the entity. */
  readonly tag: InheritedOptions['tag'];
  /** True if documents leave operations out. */
  readonly hidden: boolean;
  /** True if requests may be operations of a Batch. */
  readonly inBatches: boolean;
  /** Undefined for what may be used. */
  readonly deprecation: Deprecation | undefined;
  /** All of them count a request; those of the application first. */
  readonly limits: readonly Limit[];
}

/** The settings from all layers of options, before an endpoint's entity is looked at. */
export type InheritedSettings = Omit<Settings, 'internalCasing'> & {
  /** The internal casing; undefined where the names of the entity's own properties tell. */
  readonly givenCasing: Casing | undefined;
};

/** All rules that say which records there are, those of the application and of the path first. */
export function recordRules({
  partition,
  parent,
  authorizations,
}: Pick<Settings, 'partition' | 'parent' | 'authorizations'>): readonly AuthorizationRule[] {
  return [partition, parent, ...authorizations].filter((rule) => rule !== undefined);
}

/** In milliseconds. */
export const customaryTime = 30_000;

const standardAnswers = new StandardAnswers();

/**
 * Merges layers of options. An endpoint wins over its groups, the innermost first, and those over the application.
 * Authorization adds up.
 *
 * @param layers options from the application inwards
 */
export function settingsOf(layers: readonly InheritedOptions[]): InheritedSettings {
  const nearest = <K extends keyof InheritedOptions>(key: K): InheritedOptions[K] | undefined =>
    layers.findLast((layer) => layer[key] !== undefined)?.[key];
  return {
    givenCasing: nearest('internalCasing'),
    externalCasing: nearest('externalCasing') ?? 'snake_case',
    answers: nearest('answers') ?? standardAnswers,
    responseHeaders: nearest('responseHeaders') ?? [],
    securityHeaders: nearest('securityHeaders') ?? [],
    authentication: nearest('authentication') ?? new Public(),
    timeout: nearest('timeout') ?? customaryTime,
    stallTimeout: nearest('stallTimeout') ?? customaryTime,
    authorizations: layers.flatMap(({ authorization }) =>
      authorization === undefined ? [] : [authorization],
    ),
    tag: nearest('tag'),
    hidden: nearest('hidden') ?? false,
    inBatches: nearest('inBatches') ?? true,
    deprecation: deprecationOf(nearest('deprecated')),
    limits: limitsOf(layers),
  };
}

/** Limits add up, until a layer clears them. */
export function limitsOf(layers: readonly InheritedOptions[]): readonly Limit[] {
  const cleared = layers.findLastIndex(({ limits }) => limits === 'none');
  return layers.slice(cleared + 1).flatMap(({ limits }) => (limits === 'none' ? [] : (limits ?? [])));
}

function deprecationOf(given: InheritedOptions['deprecated']): Deprecation | undefined {
  return given === undefined || given === false ? undefined : new Deprecation(given);
}
