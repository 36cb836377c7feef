import type { EntityMetadata } from '@mikro-orm/core';
import type { Database } from '../database/database.js';
import type { Model, Relation } from '../model/model.js';
import type { CursorCodec } from '../query/cursor.codec.js';
import { KeysetPaging } from '../query/keyset.paging.js';
import { OffsetPaging } from '../query/offset.paging.js';
import type { Paging, PagingOptions } from '../query/paging.js';
import type { OwnColumn } from '../request/judged.columns.js';
import type { RecordStore } from '../records/record.store.js';
import { RecordFilter, type FilterSource } from '../visibility/record.filter.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import type { Announcements } from './announcements.js';
import type { ApiDocumentation } from './description/api.documentation.js';
import type { Dispatching } from './dispatch.js';
import type { EndpointModels, ModelParts, ModelSource } from './endpoint.models.js';
import type { EndpointOptions } from './options/endpoint.options.js';
import type { RootOptions } from './options/settings.js';
import type { Cancellation } from '../limits/cancellation.js';
import type { EndpointRequest } from './request/endpoint.request.js';
import type { InjectMap, Injection, Providers } from './request/injection.js';
import type { RoutePattern } from './route.pattern.js';
import { externalNamesOf } from './versions/external.names.js';

/** The parts that the context of a kind is made of. */
export interface KindParts extends ModelParts {
  readonly pattern: RoutePattern;
  readonly models: EndpointModels;
  readonly cursors: CursorCodec;
  readonly providers: Providers;
  readonly documentation: ApiDocumentation;
  readonly dispatching: Dispatching;
  readonly judgedAgain: (request: EndpointRequest, cancellation: Cancellation) => Promise<EndpointRequest>;
  readonly groups: readonly object[];
  readonly neighbours: () => readonly Neighbour[];
  readonly rulers: () => readonly RulingEndpoint[];
  /** Tells a mistake of the option which the user wrote. */
  readonly mistake: (error: unknown) => unknown;
}

/** Another endpoint, where it stands. */
export interface Neighbour {
  readonly endpoint: object;
  /** The whole path, those of the groups included. */
  readonly pattern: RoutePattern;
}

/** An endpoint by whose rules requests to another one may write records. */
export interface RulingEndpoint {
  readonly endpoint: object;
  /** The options of the endpoint. */
  readonly options: object;
  /** The operation that its options say all of; undefined for other kinds. */
  readonly rules: 'create' | 'update' | 'delete' | undefined;
  readonly context: KindContext;
  readonly authentication: object;
  /** The entity of its model; undefined where it has none. */
  readonly entity: EntityMetadata | undefined;
  /** Makes a request to it that is a part of another one. */
  part(whole: EndpointRequest): EndpointRequest;
  /** Asks its gates about a part. @throws NotAuthorized */
  authorize(part: EndpointRequest): true | Promise<true>;
}

/**
 * The context in which a kind compiles an endpoint: it makes models, stores, filters and paging. Nothing is written into
 * it: what a kind finds out, it returns.
 */
export class KindContext {
  /** The name of the endpoint in error messages. */
  readonly owner: string;
  /** The whole path, those of the groups included. */
  readonly pattern: RoutePattern;
  readonly settings: KindParts['settings'];
  /** The options of the application: what holds for endpoints that set nothing. */
  readonly root: RootOptions;
  /** Internal names ↔ external names. */
  readonly names: NameTable;
  /** Nest's providers. */
  readonly providers: Providers;
  /** The documentation of the application. */
  readonly documentation: ApiDocumentation;
  /** The way to other endpoints of the application. */
  readonly dispatching: Dispatching;
  /** The groups around the endpoint, from the outermost in. */
  readonly groups: readonly object[];
  /** Gives the other endpoints of the innermost group, or of the list where there is none, in their order. */
  readonly neighbours: () => readonly Neighbour[];
  /** Gives the endpoints of the application, once all of them are compiled. */
  readonly rulers: () => readonly RulingEndpoint[];
  readonly #parts: KindParts;

  constructor(parts: KindParts) {
    this.owner = parts.owner;
    this.pattern = parts.pattern;
    this.settings = parts.settings;
    this.root = parts.root;
    this.names = parts.names;
    this.providers = parts.providers;
    this.documentation = parts.documentation;
    this.dispatching = parts.dispatching;
    this.groups = parts.groups;
    this.neighbours = parts.neighbours;
    this.rulers = parts.rulers;
    this.#parts = parts;
    Object.freeze(this);
  }

  /** @throws ConfigurationError when the application has no MikroORM */
  get database(): Database {
    return this.#parts.models.storage.database;
  }

  /** The place where the application hears of what the endpoint did. */
  get announcements(): Announcements {
    return this.providers.announcements;
  }

  /** Providers of Nest for functions of an option: their tokens by the names they get there. */
  injection(option: string, inject: InjectMap, taken?: readonly string[]): Injection {
    return this.providers.injection(this.owner, option, inject, taken);
  }

  /**
   * Judges a request anew, as if it were sent again now: who sent it, whether they may use the endpoint, and whether they see the
   * parents that its path names.
   *
   * @param cancellation of whoever waits for it, and for what is asked with the request then
   * @throws Refusal
   */
  judgedAgain(request: EndpointRequest, cancellation: Cancellation): Promise<EndpointRequest> {
    return this.#parts.judgedAgain(request, cancellation);
  }

  /** Runs a check that needs providers, when all of them exist; an error of it stops the start. */
  whenReady(check: () => void | Promise<void>): void {
    this.providers.whenReady(async () => {
      try {
        await check();
      } catch (error) {
        throw this.#parts.mistake(error);
      }
    });
  }

  /** Runs a check that reads {@link documentation}, once every endpoint has done its own {@link whenReady}. */
  whenAllReady(check: () => void | Promise<void>): void {
    this.providers.whenAllReady(check);
  }

  /**
   * A model with `columnOverrides` applied. The one that is asked for first is the endpoint's own: access rules hold for
   * its records.
   * @throws ConfigurationError for an entity it cannot serve
   */
  model(source: ModelSource): Model {
    return this.#parts.models.model(source);
  }

  /** The columns in which records of a model have the request's own values, as rules say. */
  ownColumns(model: Model): readonly OwnColumn[] {
    return this.#parts.models.ownColumns(model);
  }

  /** The store of the model's records; the same store whenever it is asked for. */
  store(model: Model): RecordStore {
    return this.#parts.models.store(model);
  }

  /** True if a request may be kept from seeing records of a model that are there. */
  hides(model: Model): boolean {
    return this.#parts.models.hides(model);
  }

  /** The reason why the members of a relation cannot be written as a list; undefined where they can. */
  reasonAgainstList(relation: Relation): string | undefined {
    return this.#parts.models.reasonAgainstList(relation);
  }

  /** The filter that the endpoint's `where` and `joins` say. @throws ConfigurationError for what cannot be parsed or is unknown */
  filter(model: Model, source: FilterSource): RecordFilter {
    const { models } = this.#parts;
    const modelOf = (tableName: string): Model | undefined => models.modelOfTable(tableName);
    const filter = new RecordFilter(this.owner, this.database, model, modelOf, source);
    const backend = models.backendOf(model);
    const refuse = (problem: string): never => {
      throw new ConfigurationError(this.owner, 'where', problem);
    };
    if (backend === undefined) return filter;
    if (filter.needsSql) refuse('only strings about columns can be used with a backend of your own');
    for (const { path, comparison } of filter.conditions)
      if (!backend.canFilter(path.text, comparison))
        refuse(`the backend cannot filter '${path.text}' with '${comparison}'`);
    return filter;
  }

  /** The paging of the endpoint's lists. @throws ConfigurationError for options that are out of range */
  paging(model: Model, options: PagingOptions & Pick<EndpointOptions, 'requestMethods'>): Paging {
    const { pagination = 'offset', requestMethods = [] } = options;
    const given = this.names.isGiven ? [JSON.stringify(externalNamesOf(this.#parts.options))] : [];
    const identity = [this.owner, model.meta.className, ...requestMethods, ...given].join(' ');
    const strategies = {
      offset: () => new OffsetPaging(this.owner, options),
      keyset: () => new KeysetPaging(this.owner, identity, options, this.#parts.cursors),
    } satisfies Record<typeof pagination, () => Paging>;
    if (Object.hasOwn(strategies, pagination)) return strategies[pagination]();
    throw new ConfigurationError(
      this.owner,
      'pagination',
      `'${pagination}' is unknown; ${oneOf(Object.keys(strategies))}`,
    );
  }
}
