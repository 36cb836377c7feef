import type { EntityProperty } from '@mikro-orm/core';
import { ChangeLogSql } from './changes/change.log.sql.js';
import { CriteriaWriter, type ShapedCondition } from './condition.writer.js';
import type {
  ChangedRow,
  Told,
  UpsertedRow,
  WrittenParent,
  WrittenRecord,
} from './written/written.record.js';
import { RowValuesSql, type RowOf } from './written/row.values.sql.js';
import type { Dialect } from './dialect.js';
import { Scope, type Draft } from './scope.js';
import { StatementWriter, type Preparation, type Statement } from './statement.js';
import type { TableSql } from './table.sql.js';
import { answeredFields, storedColumnsOf } from './written/written.fields.js';

/** The name of what was written within its statement. It hides a table of the same name, so it is one that no table has. */
const writtenName = '*written';

/** The name of the record as it was, where the statement locks it before. */
const beforeName = '"*before"';

/** The name of what tells if the row is a new one. No property has it. */
const createdName = '*created';

const changesOf: RowOf = ({ changes }) => changes;

/**
 * Writes the statements that write one record and answer with it. Parents are joined to the record as it was written:
 * `with "*written" as (insert … returning …) select … from "*written" left join …`.
 */
export class WriteStatement {
  readonly #writer: StatementWriter;
  readonly #draft: Draft;
  readonly #scope: Scope;
  readonly #table: string;
  readonly #values: RowValuesSql;

  private constructor(
    private readonly dialect: Dialect,
    private readonly tables: TableSql,
    private readonly target: WrittenRecord,
  ) {
    this.#writer = new StatementWriter(dialect);
    this.#draft = { writer: this.#writer, tables, restrictions: target.restrictions };
    const { meta } = target.model;
    const table = tables.table(meta);
    // Where an insert has no alias for its table, its columns are named by the table itself.
    const isNamed = dialect.returning === 'plain';
    this.#scope = new Scope(this.#draft, target.model, false, isNamed ? meta.tableName : undefined);
    this.#scope.reserve(target.columns);
    this.#values = new RowValuesSql(this.#scope);
    this.#table = isNamed ? table : `${table} as ${dialect.quote(this.#scope.alias)}`;
  }

  /** @param properties those that have a value; the database gives the others theirs */
  static insert(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    properties: readonly EntityProperty[],
  ): Statement {
    const statement = new WriteStatement(dialect, tables, target);
    return statement.#answering(
      () => {
        statement.#writeInsert(properties);
      },
      { sort: 'created' },
    );
  }

  /**
   * Creates a record, or changes the one that is there with the same values of the conflicting properties: where it meets
   * the conditions, may be seen, and has other values so far. Behind the columns, a row tells if the record is a new one.
   */
  static upsert(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    { properties, conflict, ofLive, mark, ...row }: UpsertedRow,
    conditions: readonly ShapedCondition[],
  ): Statement {
    const statement = new WriteStatement(dialect, tables, target);
    const { alias } = statement.#scope;
    const key = target.model.idColumn.property;
    const isNew = mark === 'old' ? `${tables.field('old', key)} is null` : `${dialect.quote(alias)}.xmax = 0`;
    const fields = conflict.map((property) => statement.#values.name(property));
    const write = (): void => {
      statement.#writeInsert(properties);
      statement.#writer.write(` on conflict (${fields.join(', ')})`);
      if (ofLive !== undefined) statement.#writer.write(` where ${statement.#values.name(ofLive)} is null`);
      statement.#writer.write(' do ');
      if (row.changed.length === 0) statement.#writer.write('nothing');
      else {
        statement.#writer.write(`update set ${statement.#values.assignments(row, changesOf)}`);
        const glue = statement.#writeDiffering(row, conditions, changesOf);
        // Whoever made the record meanwhile has not shown how it was.
        if (target.isLocked === true) statement.#writer.write(`${glue}exists (select 1 from ${beforeName})`);
      }
    };
    const isThere = (): void => {
      const glue = statement.#writeWhere(conditions);
      const tests = conflict.map(
        (one) => `${statement.#values.field(one)} = ${statement.#values.value(one)}`,
      );
      if (ofLive !== undefined) tests.push(`${statement.#values.field(ofLive)} is null`);
      statement.#writer.write(glue + tests.join(' and '));
    };
    return statement.#answering(write, {
      isNew: `(${isNew})`,
      sort: { isNew: dialect.quote(createdName) },
      changed: row.changed.map(({ column }) => column.property),
      ...statement.#before(isThere, (name) => `(select ${name} from ${beforeName})`),
    });
  }

  /**
   * Changes a record that meets the conditions and has other values so far; one that has them already is left alone.
   */
  static update(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    row: ChangedRow,
    conditions: readonly ShapedCondition[],
  ): Statement {
    const statement = new WriteStatement(dialect, tables, target);
    if (statement.#isPlain) return statement.#overwriting(row, conditions);
    const written = [
      ...row.changed.map(({ column }) => column.property),
      ...row.along,
      ...(row.counted === undefined ? [] : [row.counted]),
    ];
    return statement.#answering(
      () => {
        statement.#writer.write(`update ${statement.#table} set ${statement.#values.assignments(row)}`);
        // Nobody has changed the locked record since.
        if (target.isLocked === true)
          statement.#writer.write(` from ${beforeName} where ${statement.#scope.key} = ${beforeName}."*key"`);
        else statement.#writeDiffering(row, conditions);
        for (const parent of target.parents) statement.#writeParent(parent, ' and ');
      },
      {
        sort: 'updated',
        written,
        ...statement.#before(
          () => statement.#writeDiffering(row, conditions),
          (name) => `${beforeName}.${name}`,
        ),
      },
    );
  }

  /** Deletes the record that meets the conditions, and answers with one row when there was one. */
  static delete(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    conditions: readonly ShapedCondition[],
  ): Statement {
    const statement = new WriteStatement(dialect, tables, target);
    return statement.#answering(
      () => {
        statement.#writer.write(`delete from ${statement.#table}`);
        statement.#writeWhere(conditions);
      },
      { sort: 'deleted' },
    );
  }

  /**
   * Changes a record by an insert of it as it is, which is locked first. There are no other records with its key, so that it
   * always becomes the update; nobody makes an insert of the key 0, which would be the next number.
   */
  #overwriting(row: ChangedRow, conditions: readonly ShapedCondition[]): Statement {
    const { target, tables } = this;
    const { meta } = target.model;
    const before = new Scope(this.#draft, target.model);
    const columns = storedColumnsOf(meta);
    const names = columns.map((name) => this.dialect.quote(name)).join(', ');
    const values = columns.map((name) => tables.column(before.alias, name)).join(', ');
    const counted = meta.getPrimaryProps().filter(({ autoincrement }) => autoincrement === true);
    const write = (): void => {
      this.#writer.write(`insert into ${this.#table} (${names}) select ${values} from ${before.table}`);
      const glue = this.#writeDiffering(row, conditions, undefined, before);
      for (const key of counted) this.#writer.write(`${glue}${tables.field(before.alias, key)} <> 0`);
      for (const parent of target.parents) this.#writeParent(parent, glue);
      this.#writer.write(` for update on duplicate key update ${this.#values.assignments(row)}`);
    };
    return this.#answering(write, { sort: 'updated' });
  }

  #answering(write: () => void, { isNew, sort, written, changed, before }: Told): Statement {
    const { columns, recorded } = this.target;
    const writer = this.#writer;
    const log = recorded && new ChangeLogSql(writer, this.tables, recorded, written, changed);
    const isApart = log !== undefined || columns.some(({ relations }) => relations.length > 0);
    const list = columns.map((path, index) => `${this.#scope.output(path)} as c${index}`);
    const name = this.dialect.quote(writtenName);
    const { alias } = this.#scope;
    if (isApart) writer.write('with ');
    const kept = before?.(log?.old(alias) ?? []);
    if (isApart) writer.write(`${name} as (`);
    write();
    const created = this.dialect.quote(createdName);
    const told = isNew === undefined ? [] : [`${isNew} as ${created}`];
    if (!isApart) writer.write(` returning ${[...list, ...told].join(', ') || '1'}`);
    else {
      const old = kept ?? log?.old(sort === 'deleted' ? alias : 'old');
      const was = sort === 'created' ? undefined : old;
      const logged = log?.returned(alias, was, sort === 'deleted' ? undefined : alias);
      const needed = [...answeredFields(this.#scope, this.target), ...told, ...(logged ?? [])];
      writer.write(` returning ${needed.join(', ')})`);
      log?.writeLogged(name, sort);
      const shown = isNew === undefined ? list : [...list, `${this.dialect.quote(alias)}.${created}`];
      writer.write(` select ${shown.join(', ') || '1'} from ${name} as ${this.dialect.quote(alias)}`);
      this.#scope.writeJoins();
    }
    return writer.finish({ preparation: preparationOf(this.target) });
  }

  get #isPlain(): boolean {
    return this.dialect.returning === 'plain';
  }

  #writeInsert(properties: readonly EntityProperty[]): void {
    const { parents } = this.target;
    const fields = properties.map((property) => this.#values.name(property));
    this.#writer.write(`insert into ${this.#table} `);
    if (parents.length > 0) this.#writeWithin(fields, properties);
    else if (fields.length === 0) this.#writer.write(this.#isPlain ? '() values ()' : 'default values');
    else {
      const values = properties.map((property) => this.#values.value(property));
      this.#writer.write(`(${fields.join(', ')}) values (${values.join(', ')})`);
    }
  }

  /**
   * Locks the record and keeps how it is, where the database cannot return what it has written over.
   * @param writeWhere writes which record it is
   * @param of reads a value that was kept, where the record is written
   */
  #before(writeWhere: () => void, of: (name: string) => string): Pick<Told, 'before'> {
    if (this.target.isLocked !== true) return {};
    const write = (old: readonly string[]): readonly string[] => {
      const { key, alias } = this.#scope;
      const kept = [`${key} as "*key"`, ...old.map((value, index) => `${value} as "*${index}"`)];
      this.#writer.write(`${beforeName} as (select ${kept.join(', ')} from ${this.#table}`);
      writeWhere();
      this.#writer.write(` for no key update of ${this.dialect.quote(alias)}), `);
      return old.map((_, index) => of(`"*${index}"`));
    };
    return { before: write };
  }

  /** @returns what stands before the next condition */
  #writeDiffering(
    row: ChangedRow,
    conditions: readonly ShapedCondition[],
    of?: RowOf,
    scope = this.#scope,
  ): string {
    const glue = this.#writeWhere(conditions, scope);
    const values = scope === this.#scope ? this.#values : new RowValuesSql(scope);
    this.#writer.write(glue + values.difference(row, of));
    return ' and ';
  }

  /** @returns what stands before the next condition */
  #writeWhere(conditions: readonly ShapedCondition[], scope = this.#scope): string {
    const glue = new CriteriaWriter(scope).write(conditions, ' where ');
    // The one place where statements that change records are told which there are.
    return scope.writeLimits(glue, { isLocked: true });
  }

  /** A select of the values, where values alone would take no condition: the parents must be there to see. */
  #writeWithin(fields: readonly string[], properties: readonly EntityProperty[]): void {
    const values = properties.map(
      (property) => this.dialect.cast(this.#values.value(property), property) ?? 'null',
    );
    this.#writer.write(`(${fields.join(', ')}) select ${values.join(', ')}`);
    for (const [index, parent] of this.target.parents.entries())
      this.#writeParent(parent, index === 0 ? ' where ' : ' and ');
  }

  #writeParent({ property, parent, isHeld }: WrittenParent, glue: string): void {
    const scope = new Scope(this.#draft, parent, true);
    this.#writer.write(`${glue}exists (select 1 from ${scope.table} where ${scope.key} = `);
    this.#writer.write(this.#values.value(property));
    scope.writeLimits(' and ', { isLocked: isHeld });
    const lock = this.#isPlain ? ' lock in share mode' : ' for share';
    this.#writer.write(isHeld ? `${lock})` : ')');
  }
}

/** A sub-select of keys may find few records or many. */
export function preparationOf({ restrictions }: WrittenRecord): Preparation {
  return [...restrictions.values()].every(({ isPlain }) => isPlain) ? 'kept' : 'renewed';
}
