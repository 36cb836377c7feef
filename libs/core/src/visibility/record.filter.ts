import type { EntityMetadata } from '@mikro-orm/core';
import type { Model, Relation } from '../model/model.js';
import { isJoinString, parseJoin } from '../query/join.string.js';
import { conditionOf } from '../query/condition.js';
import type { Condition } from '../query/query.plan.js';
import { known } from '../query/selection.js';
import { parseWhere, whereCondition } from '../query/where.string.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { adjusted, refuseUndefined, whole, type RecordQuery } from './adjusted.query.js';
import { isFilterObject } from '../database/plain.filter.js';
import type { Database, RequestEntityManager } from '../database/database.js';
import { JoinedTables } from './joined.tables.js';
import { keysOf } from '../database/key.query.js';
import type { Fragment } from '../sql/restriction.js';
import type { Session } from './session.js';
import type { TableSql } from '../sql/table.sql.js';

/** For how many schemas, which requests may choose, what is said once is kept. */
const keptSchemas = 100;

const nothing: readonly Fragment[] = [];

/** The `where` and `joins` of an endpoint. */
export interface FilterSource {
  readonly where?: readonly unknown[] | undefined;
  readonly joins?: readonly unknown[] | undefined;
}

type Callable = (context: never) => unknown;

/** A function that makes the argument of callables: the query that they adjust, and the facts of a request. */
type ContextOf = (more: { readonly query: RecordQuery }) => object;

/**
 * The narrowing of an endpoint's records by `where` and `joins`. Strings become conditions or, where they name joined
 * tables, a sub-select of keys. So do filter objects and callables, which MikroORM translates. Whatever can be is made
 * when the application starts.
 */
export class RecordFilter {
  /** The conditions that hold for every request. */
  readonly conditions: readonly Condition[];
  /** True if MikroORM or the tables of its database are needed. */
  readonly needsSql: boolean;
  /** True if the filter depends on the request, through callables. */
  readonly asksRequests: boolean;
  /** The fragments that hold for every request, by the key of the tables that they are about. */
  readonly #fixed = new Map<string, readonly Fragment[]>();
  readonly #tables: JoinedTables;
  readonly #objects: readonly object[];
  readonly #callables: readonly Callable[];
  readonly #joinCallables: readonly Callable[];
  readonly #joinedRelations: readonly (readonly Relation[])[];

  /** @throws ConfigurationError for strings that cannot be parsed, and for names that are unknown */
  constructor(
    private readonly owner: string,
    private readonly database: Database,
    private readonly model: Model,
    modelOf: (tableName: string) => Model | undefined,
    { where = [], joins = [] }: FilterSource,
  ) {
    refuseUnreadable(owner, 'where', where, isFilterObject);
    refuseUnreadable(owner, 'joins', joins);
    const tables = (this.#tables = new JoinedTables(owner, database, model, modelOf));
    const relations: (readonly Relation[])[] = [];
    const conditions: Condition[] = [];
    for (const join of joins) {
      if (typeof join !== 'string') continue;
      if (isJoinString(join)) tables.add(parseJoin(owner, join));
      else relations.push(relationsAt(owner, model, join));
    }
    for (const joined of relations) conditions.push(isThere(joined));
    for (const text of where) {
      if (typeof text !== 'string') continue;
      const parsed = parseWhere(owner, text);
      if (tables.take(text, parsed)) continue;
      conditions.push(whereCondition(owner, text, parsed, known(owner, model, parsed.columnName, 'where')));
    }
    this.conditions = conditions;
    this.#joinedRelations = relations;
    this.#callables = where.filter(isCallable);
    this.#joinCallables = joins.filter(isCallable);
    this.#objects = where.filter(isFilterObject);
    this.asksRequests = this.#callables.length + this.#joinCallables.length > 0;
    const fixed = this.#fixedIn(database.tables);
    this.needsSql = this.asksRequests || fixed.length > 0;
  }

  /** The entity whose records are narrowed. */
  get entity(): EntityMetadata {
    return this.model.meta;
  }

  /** Reasons why the endpoint cannot go past MikroORM. */
  get reasons(): readonly string[] {
    return this.asksRequests ? ['`where` or `joins` have callables'] : [];
  }

  /** True if anything narrows the records at all. */
  get isOpen(): boolean {
    return this.conditions.length === 0 && !this.needsSql;
  }

  /**
   * The sub-selects of keys that narrow the records of one request. Every callable gets a query of its own, so that
   * none can take back what another asked for.
   *
   * @param contextOf what callables can destructure; made only if there are some
   */
  narrowed(session: Session, contextOf: ContextOf): readonly Fragment[] | Promise<readonly Fragment[]> {
    if (!this.needsSql) return nothing;
    return this.asksRequests ? this.#asked(session, contextOf) : this.#fixedIn(session.tables);
  }

  async #asked(session: Session, contextOf: ContextOf): Promise<readonly Fragment[]> {
    await session.enter();
    const { em } = session;
    const fragments = [...this.#fixedIn(session.tables)];
    for (const callable of this.#callables)
      fragments.push(
        this.#keys(await this.#adjusted(await this.#joined(em, contextOf), callable, contextOf, 'where')),
      );
    if (this.#callables.length === 0) fragments.push(this.#keys(await this.#joined(em, contextOf)));
    return fragments;
  }

  async #joined(em: RequestEntityManager, contextOf: ContextOf): Promise<RecordQuery> {
    let query = this.#query(em);
    for (const callable of this.#joinCallables)
      query = await this.#adjusted(query, callable, contextOf, 'joins');
    return query;
  }

  async #adjusted(
    query: RecordQuery,
    callable: Callable,
    contextOf: ContextOf,
    option: string,
  ): Promise<RecordQuery> {
    const name = `A callable of '${option}'`;
    const result: unknown = await callable(contextOf({ query: whole(query, name) }) as never);
    return adjusted(query, result, this.model.meta, { name, givesFilters: option === 'where' });
  }

  /** A query over the model. A joined relation has the name of its path's last part, or of all where that is taken. */
  #query(em: RequestEntityManager): RecordQuery {
    const query: RecordQuery = em.createQueryBuilder<object>(this.model.meta.class);
    const aliases = new Map<string, string>([['', query.alias]]);
    for (const relations of this.#joinedRelations) {
      let path = '';
      for (const { name } of relations) {
        const owner = aliases.get(path) ?? query.alias;
        path = path === '' ? name : `${path}.${name}`;
        if (aliases.has(path)) continue;
        const alias = freeAlias([name, path.replaceAll('.', '_')], new Set(aliases.values()));
        query.join(`${owner}.${name}` as never, alias as never);
        aliases.set(path, alias);
      }
    }
    return query;
  }

  /**
   * Makes the fragments of strings and filter objects, once for each schema, and for that of the configuration at the
   * start.
   */
  #fixedIn(tables: TableSql): readonly Fragment[] {
    const known = this.#fixed.get(tables.key);
    if (known !== undefined) return known;
    const joined = this.#tables.fragment(tables);
    const objects = this.#objects.map((object) => this.#objectKeys(object, tables));
    const fixed = joined === undefined ? objects : [joined, ...objects];
    if (this.#fixed.size >= keptSchemas) this.#fixed.clear();
    this.#fixed.set(tables.key, fixed);
    return fixed;
  }

  /** MikroORM's own complaints about a filter object do not say whose it is. */
  #objectKeys(filter: object, { chosen }: TableSql): Fragment {
    const { owner } = this;
    refuseUnknown(owner, this.model.meta, filter);
    try {
      refuseUndefined('a filter object', filter);
      const em = this.database.fork();
      em.schema = chosen;
      return this.#keys(this.#query(em).where(filter as never));
    } catch (cause) {
      throw new ConfigurationError(owner, 'where', cause instanceof Error ? cause.message : String(cause));
    }
  }

  #keys(query: RecordQuery): Fragment {
    return keysOf(query, this.model.meta);
  }
}

function isCallable(entry: unknown): entry is Callable {
  return typeof entry === 'function';
}

/** An entry that nobody reads would leave the endpoint open. */
function refuseUnreadable(
  owner: string,
  option: string,
  entries: unknown,
  isReadable: (entry: unknown) => boolean = () => false,
): void {
  const kinds = option === 'where' ? 'strings, filter objects and functions' : 'strings and functions';
  const refuse = (problem: string): never => {
    throw new ConfigurationError(owner, option, `${problem}; allowed is a list of ${kinds}`);
  };
  if (!Array.isArray(entries)) return refuse(`a ${typeof entries} is no list`);
  for (const [index, entry] of entries.entries())
    if (typeof entry !== 'string' && !isCallable(entry) && !isReadable(entry))
      refuse(`entry ${index + 1} is ${entry === null ? 'null' : typeof entry}`);
}

/** The first of the names that is free, or the last with a number behind it. */
function freeAlias(names: readonly string[], taken: ReadonlySet<string>): string {
  const free = names.find((name) => !taken.has(name));
  if (free !== undefined) return free;
  let number = 2;
  while (taken.has(`${names.at(-1)}_${number}`)) number += 1;
  return `${names.at(-1)}_${number}`;
}

function relationsAt(owner: string, model: Model, path: string): readonly Relation[] {
  const relations: Relation[] = [];
  let from = model;
  for (const name of path.split('.')) {
    const relation = from.relations.get(name);
    if (relation === undefined)
      throw new ConfigurationError(
        owner,
        'joins',
        from.unservedReason(name) ??
          `'${path}': '${name}' is no relation; allowed: ${[...from.relations.keys()].join(', ')}`,
      );
    relations.push(relation);
    from = relation.target();
  }
  return relations;
}

/** An inner join over relations keeps the records that have them. */
function isThere(relations: readonly Relation[]): Condition {
  const column = relations.at(-1)?.target().idColumn;
  if (column === undefined) throw new TypeError('A join leads over at least one relation');
  const text = [...relations.map(({ name }) => name), column.name].join('.');
  return conditionOf({ text, relations, column }, 'is not null', null);
}

/** MikroORM would send an unknown name to the database with the first request. */
function refuseUnknown(owner: string, meta: EntityMetadata, filter: unknown): void {
  if (typeof filter !== 'object' || filter === null || filter instanceof Date) return;
  for (const [name, value] of Object.entries(filter)) {
    if (Array.isArray(filter) || name.startsWith('$')) refuseUnknown(owner, meta, value);
    else {
      const property = Object.hasOwn(meta.properties, name) ? meta.properties[name as never] : undefined;
      if (property === undefined)
        throw new ConfigurationError(
          owner,
          'where',
          `unknown property '${name}' in a filter object; allowed: ${Object.keys(meta.properties).join(', ')}`,
        );
      const { targetMeta } = property as { readonly targetMeta?: EntityMetadata };
      if (targetMeta !== undefined) refuseUnknown(owner, targetMeta, value);
    }
  }
}
