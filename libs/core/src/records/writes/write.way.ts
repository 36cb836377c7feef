import { Cascade, ReferenceKind, type EntityMetadata } from '@mikro-orm/core';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import type { Validator } from '../../model/validator.js';
import { ParentExists } from '../../model/validators/parent-exists.validator.js';
import { Unique } from '../../model/validators/unique.validator.js';
import { softEntityOf } from '../../model/soft/soft.entity.js';
import type { Selection } from '../../query/query.plan.js';
import { columnsOf, listsOf, parentsOf } from '../../query/selected.columns.js';
import type { Database } from '../../database/database.js';
import { NoConnection } from '../../database/errors/connection.failure.js';
import { RecentEntries } from '../../limits/recent.entries.js';
import type { WriteUse } from '../record.store.js';
import type { Session } from '../../visibility/session.js';
import { kindsOf, type TableSql } from '../../sql/table.sql.js';
import type { StoredColumns } from '../../sql/bulk/stored.columns.js';
import { ServiceUnavailable } from '../../wire/refusals.js';
import type { WrittenParent } from '../../sql/written/written.record.js';
import { FilledValues } from './filled.values.js';
import type { Guarded } from './schema.guards.js';
import { tableFacts, type TableFacts } from './table.guards.js';

/** The time for which an answer of the catalogue is believed, in milliseconds: migrations run while requests are served. */
const freshFor = 5000;

/** The last answer of the catalogue about a table, and the question that is being asked. */
interface TableState {
  table: 'unknown' | 'open' | 'closed';
  facts: TableFacts | undefined;
  askedAt: number;
  asking: Promise<void> | undefined;
}

/** The schemas, which requests choose, times the tables whose states are kept; any other is asked for anew. */
const keptStates = 5000;

/** The states by what is asked. What the endpoints of a table ask alike, whatever they show, is asked once. */
const states = new WeakMap<Database, Map<string, TableState>>();

/** The states of tables in schemas that requests have chosen. */
const chosenStates = new WeakMap<Database, RecentEntries<string, TableState>>();

function keyOf({ meta }: Model, { unique, belongsTo }: Guarded): string {
  const parents = belongsTo.map(({ column: { name }, parent }) => [name, parent.meta.className]);
  return JSON.stringify([meta.className, unique.map(({ name }) => name), parents]);
}

function stateIn(
  known: Map<string, TableState> | RecentEntries<string, TableState>,
  key: string,
): TableState {
  const state = known.get(key) ?? {
    table: 'unknown',
    facts: undefined,
    askedAt: -Infinity,
    asking: undefined,
  };
  known.set(key, state);
  return state;
}

function stateOf(database: Database, key: string): TableState {
  const known = states.get(database) ?? new Map<string, TableState>();
  states.set(database, known);
  return stateIn(known, key);
}

function chosenStateOf(database: Database, key: string): TableState {
  const known = chosenStates.get(database) ?? new RecentEntries<string, TableState>(keptStates);
  chosenStates.set(database, known);
  return stateIn(known, key);
}

/** The facts that must be as metadata says before a statement may be left to itself. Asked while requests are served. */
export class WriteWay {
  /** The entities whose records may be hidden: the written one, its parents and those of the answer. */
  readonly entities: ReadonlySet<EntityMetadata>;
  /** The parents whose keys are written. */
  readonly parents: readonly WrittenParent[];
  readonly #key: string;
  readonly #state: TableState;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    selection: Selection,
    private readonly guarded: Guarded,
  ) {
    this.parents = guarded.belongsTo.map(({ column, parent }) => ({
      property: column.property,
      parent,
      isHeld: softEntityOf(parent.meta) !== undefined,
    }));
    this.#key = keyOf(model, guarded);
    this.#state = stateOf(database, this.#key);
    const parents = [...guarded.belongsTo.map(({ parent }) => parent), ...parentsOf(columnsOf(selection))];
    this.entities = new Set([model, ...parents].map(({ meta }) => meta));
  }

  /** True if a write may go past MikroORM now: nobody listens, and the table is as it should be. */
  isOpen(session: Session): boolean | Promise<boolean> {
    const { listeners } = this.database;
    // Guards of the user's may have given the request's own entity manager what nobody else knows of.
    if (!session.isUntouched || session.judgesFirst) return false;
    if (listeners.hear(this.model.meta)) return false;
    return this.hasPlainTable(session);
  }

  /** True if the table is as it should be, whoever takes part in writes. */
  hasPlainTable(session: Session): boolean | Promise<boolean> {
    const { tables } = session;
    const state = this.#stateIn(tables);
    const isFresh = performance.now() - state.askedAt < freshFor;
    if (isFresh && state.table === 'closed') return false;
    return (isFresh && state.table === 'open') || this.#becomesOpen(session, tables, state);
  }

  /** The columns of the table as the database has them; undefined before it was asked. */
  columnsIn(tables: TableSql): StoredColumns | undefined {
    return this.#stateIn(tables).facts?.columns;
  }

  /** The state of the table in a schema. */
  #stateIn(tables: TableSql): TableState {
    const { database } = this;
    return tables === database.tables ? this.#state : chosenStateOf(database, `${tables.key}\n${this.#key}`);
  }

  async #becomesOpen(session: Session, tables: TableSql, state: TableState): Promise<boolean> {
    // A part of a transaction must not wait for another connection, nor for who waits for one: it may have the last.
    if (session.isPart || session.isInTransaction) await this.#ask(tables, state, session);
    else if (performance.now() - state.askedAt >= freshFor) {
      const { cancellation } = session.origin.viewer;
      const asks = (): Promise<void> => this.#askOnce(tables, state);
      await (cancellation === undefined ? asks() : cancellation.waitFor(asks));
    }
    return state.table === 'open';
  }

  /** Requests that come meanwhile wait for the same answer. One that is refused for want of a connection is so for who asked alone. */
  async #askOnce(tables: TableSql, state: TableState): Promise<void> {
    if (state.asking !== undefined) {
      await state.asking.catch(() => undefined);
      return;
    }
    state.asking = this.#ask(tables, state).finally(() => {
      state.asking = undefined;
    });
    await state.asking;
  }

  async #ask(tables: TableSql, state: TableState, session?: Session): Promise<void> {
    const { database, model } = this;
    const logger = database.orm.config.getLogger();
    try {
      const known = { tables, before: state.facts };
      state.facts = await tableFacts(database, model, this.guarded, known, session);
      const { reason } = state.facts;
      const before = state.table;
      state.table = reason === undefined ? 'open' : 'closed';
      state.askedAt = performance.now();
      if (reason !== undefined && before !== 'closed')
        logger.log('info', `${model.meta.className} is written the way of MikroORM: ${reason}`);
    } catch (error) {
      state.table = 'unknown';
      // The write would wait for a connection as long once more.
      if (error instanceof ServiceUnavailable && error.cause instanceof NoConnection) throw error;
      // It is asked again by the next write; this one will tell what is wrong.
      logger.warn('info', `${model.meta.className} is written the way of MikroORM: ${String(error)}`);
    }
  }
}

/** The columns of a write whose values the database itself must judge. */
export function guardedBy(model: Model, columns: readonly Column[], lookup: Column | undefined): Guarded {
  const judged = columns.filter(({ validators }) => validators.some((one) => one instanceof Unique));
  const belongsTo = columns.flatMap((column) => {
    const parent = model.parentOf(column);
    return parent === undefined ? [] : [{ column, parent }];
  });
  return { unique: lookup === undefined ? judged : [...judged, lookup], belongsTo };
}

/**
 * Gives the reason why writes of an endpoint need MikroORM, by its metadata and configuration; undefined when they do
 * not.
 */
export function reasonAgainstWrites(
  database: Database,
  model: Model,
  use: Pick<WriteUse, 'columns' | 'lookup' | 'conflict' | 'selection' | 'conditions'>,
): string | undefined {
  const { meta } = model;
  const lookups = [use.lookup ?? [], use.conflict?.paths ?? []].flat();
  const unsaid = reasonOfDialect(database, model, use);
  if (unsaid !== undefined) return unsaid;
  if (!database.orm.config.get('forceUtcTimezone')) return 'forceUtcTimezone is off';
  if (database.listeners.hear(meta)) return 'life-cycle hooks or subscribers take part';
  return (
    reasonOfEntity(meta) ??
    (lookups.some(({ column }) => column.type.equalityWidth > 0)
      ? 'an instant may find several records'
      : undefined) ??
    FilledValues.reasonAgainst(meta) ??
    reasonOfColumns(model, use.columns) ??
    reasonOfSelection(model, use.selection) ??
    (use.conditions.some(({ path }) => path.relations.length > 0)
      ? '`where` leads to other tables'
      : undefined)
  );
}

/** The reason why no statement of the database writes this and answers with it. */
function reasonOfDialect(
  { dialect: { returning }, changes }: Database,
  { meta }: Model,
  { conflict, selection }: Pick<WriteUse, 'conflict' | 'selection'>,
): string | undefined {
  if (returning === 'full') return undefined;
  if (returning === 'none') return 'the database does not return what is written';
  if (conflict !== undefined) return 'the database does not return what becomes of an Upsert';
  if (changes?.of(meta) !== undefined) return 'its changes are recorded';
  if (usedAlias.test(meta.tableName)) return 'its table has a name that statements use for others';
  const parent = columnsOf(selection).find(({ relations }) => relations.length > 0);
  return parent && `the database does not return '${parent.text}' of a parent`;
}

/** The aliases of tables in a statement. */
const usedAlias = /^e\d+$/i;

function reasonOfEntity(meta: EntityMetadata): string | undefined {
  if (kindsOf(meta) !== undefined || meta.root.discriminatorColumn !== undefined)
    return 'several entities share its table';
  if (meta.concurrencyCheckKeys.size > 0) return 'MikroORM checks some of its columns for changes';
  if (meta.props.some(({ version, runtimeType }) => version === true && runtimeType !== 'number'))
    return 'its version is a time';
  if (meta.schema === '*') return 'its schema is chosen by requests';
  if (meta.readonly === true || meta.view === true) return 'it is read-only';
  const cascading = meta.relations.find(
    ({ cascade, orphanRemoval }) =>
      orphanRemoval === true || [cascade].flat().some((one) => one === Cascade.REMOVE || one === Cascade.ALL),
  );
  if (cascading !== undefined) return `MikroORM removes '${cascading.name}' along with it`;
  const embedded = meta.props.find(({ kind }) => kind === ReferenceKind.EMBEDDED);
  return embedded === undefined ? undefined : `'${embedded.name}' is embedded`;
}

function reasonOfColumns(model: Model, columns: readonly Column[]): string | undefined {
  for (const column of columns) {
    const { name, type, property, conversion, validators } = column;
    if (type.storage === 'links') return `'${name}' is in a table of its own`;
    if (conversion !== undefined) return `'${name}' has a MikroORM type of its own`;
    if (property.onUpdate !== undefined) return `'${name}' is set by clients and by onUpdate`;
    const own = validators.find((one) => one.needs === 'records' && !isKnown(one));
    if (own !== undefined) return `${own.name} of '${name}' asks for stored records`;
    const parent = model.parentOf(column);
    if (parent !== undefined && kindsOf(parent.meta) !== undefined)
      return `parents of '${name}' share their table with others`;
  }
  return undefined;
}

/** True if a constraint of the database says the same. What a class of the user's own says nobody knows. */
function isKnown({ constructor }: Validator): boolean {
  return constructor === Unique || constructor === ParentExists;
}

function reasonOfSelection(model: Model, selection: Selection): string | undefined {
  const [list] = listsOf(selection);
  if (list !== undefined) return `'${list.name}' is a list of related records`;
  const columns = columnsOf(selection);
  const computed = columns.find(({ column }) => column.property.formula !== undefined);
  if (computed !== undefined) return `'${computed.text}' is computed, maybe from what is written`;
  const way = columns
    .flatMap(({ relations }) => relations)
    .find(({ property }) => property.formula !== undefined);
  if (way !== undefined) return `the key of '${way.name}' is computed, maybe from what is written`;
  const { tableName } = model.meta.root;
  const isOwnTable = parentsOf(columns).some(({ meta }) => meta.root.tableName === tableName);
  return isOwnTable ? 'a parent is in the same table' : undefined;
}
