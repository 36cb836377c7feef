import type { EntityMetadata } from '@mikro-orm/core';
import type { ColumnPath, Model } from '../model/model.js';
import type { ListPlan, Selection } from '../query/query.plan.js';
import type { NameTable } from '../wire/name.table.js';
import type { Database, RequestEntityManager } from './database.js';
import { restrictionsOf, type Restrictions } from './restriction.js';
import { rowWriter, type Row } from './row.writer.js';
import { columnsOf, SelectStatement, type SelectShape } from './select.statement.js';
import type { Statement } from './statement.js';

/** A page of records as JSON text, with the number of all matching records. */
export interface RecordPage {
  readonly data: string;
  readonly total: number;
}

/** How many shapes of list statements are kept; a client chooses among sorts and terms only, so few are needed. */
const keptStatements = 500;

/** Reads records of one endpoint: only what is readable, straight from rows to JSON text, without entities. */
export class RecordReader {
  readonly #columns: readonly ColumnPath[];
  readonly #write: (row: Row) => string;
  readonly #entities: ReadonlySet<EntityMetadata>;
  readonly #statements = new Map<string, Statement>();

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    selection: Selection,
    names: NameTable,
  ) {
    this.#columns = columnsOf(selection);
    this.#write = rowWriter(selection, names, database.dialect.platform);
    this.#entities = entitiesOf(model, this.#columns);
  }

  /** The JSON text of the record whose column at `lookup` has this value; undefined when there is none. */
  async find(em: RequestEntityManager, lookup: ColumnPath, value: unknown): Promise<string | undefined> {
    return this.#find(em, lookup, value, await restrictionsOf(em, this.#entities));
  }

  /** {@link find} for a record the request has just written: its own visibility is not asked, its parents' is. */
  async readBack(em: RequestEntityManager, id: unknown): Promise<string | undefined> {
    const restrictions = new Map(await restrictionsOf(em, this.#entities));
    restrictions.delete(this.model.meta);
    const { idColumn } = this.model;
    return this.#find(em, { text: idColumn.name, relations: [], column: idColumn }, id, restrictions);
  }

  async list(em: RequestEntityManager, { conditions, sorts, limit, start }: ListPlan): Promise<RecordPage> {
    const { model } = this;
    const values = conditions.map(({ value }) => value);
    const entities = entitiesOf(model, [
      ...this.#columns,
      ...[...conditions, ...sorts].map(({ path }) => path),
    ]);
    const restrictions = await restrictionsOf(em, entities);
    const page = this.#statement(
      { model, columns: this.#columns, conditions, sorts, paged: true },
      restrictions,
    );
    const rows = await this.database.run(em, page, [...values, limit, start]);
    const data = `[${rows.map(this.#write).join(',')}]`;
    // A page that is not full tells the total.
    if (rows.length < limit && (rows.length > 0 || start === 0)) return { data, total: start + rows.length };
    const count = this.#statement(
      { model, columns: 'count', conditions, sorts: [], paged: false },
      restrictions,
    );
    const [counted] = await this.database.run(em, count, values);
    return { data, total: Number(counted?.['c0']) };
  }

  async #find(
    em: RequestEntityManager,
    lookup: ColumnPath,
    value: unknown,
    restrictions: Restrictions,
  ): Promise<string | undefined> {
    const conditions = [{ path: lookup, operator: '=' as const }];
    const shape: SelectShape = {
      model: this.model,
      columns: this.#columns,
      conditions,
      sorts: [],
      paged: false,
    };
    const [row] = await this.database.run(em, this.#statement(shape, restrictions), [value]);
    return row === undefined ? undefined : this.#write(row);
  }

  #statement(shape: SelectShape, restrictions: Restrictions): Statement {
    const written = (): Statement =>
      SelectStatement.write(this.database.dialect, this.database.tables, shape, restrictions);
    if (restrictions.size > 0) return written();
    const key = keyOf(shape);
    const known = this.#statements.get(key);
    if (known !== undefined) return known;
    const statement = written();
    if (this.#statements.size >= keptStatements) this.#statements.clear();
    this.#statements.set(key, statement);
    return statement;
  }
}

function entitiesOf(model: Model, paths: readonly ColumnPath[]): Set<EntityMetadata> {
  const parents = paths.flatMap(({ relations }) => relations.map((relation) => relation.target().meta));
  return new Set([model.meta, ...parents]);
}

/** Every part is a name of the configuration, so distinct shapes have distinct keys. */
function keyOf({ columns, conditions, sorts }: SelectShape): string {
  const terms = conditions.map(({ path, operator }) => `${path.text} ${operator}`);
  const order = sorts.map(({ path, direction }) => `${path.text} ${direction}`);
  return [columns === 'count' ? 'count' : 'rows', ...terms, 'by', ...order].join('|');
}
