import type { ColumnPath, Model, Relation } from '../model/model.js';
import type { Sort } from '../query/query.plan.js';
import type { Dialect } from './dialect.js';
import { sortKeys } from './keyset.js';
import { RelatedScope } from './related.scope.js';
import { Scope, type Draft } from './scope.js';
import type { Restrictions } from './restriction.js';
import { StatementWriter, type Statement } from './statement.js';
import type { TableSql } from './table.sql.js';
import { isWrittenOneWay } from './written/compared.type.js';

/** Related records to read: those of many owners at once. */
export interface RelatedShape {
  readonly owner: Model;
  readonly relation: Relation;
  readonly columns: readonly ColumnPath[];
  readonly sorts: readonly Sort[];
  /** The most records of each owner; 0 for all. */
  readonly limit: number;
  readonly restrictions: Restrictions;
  /** The number of owners, for databases that take each key as a parameter of its own. */
  readonly ownerCount: number;
}

/**
 * Writes the statement that reads the related records of all owners of a page. Rows have
 * the columns first and the owner's key behind them; those of one owner come in order.
 */
export class RelatedStatement {
  readonly #writer: StatementWriter;
  readonly #draft: Draft;

  private constructor(
    private readonly dialect: Dialect,
    tables: TableSql,
    private readonly shape: RelatedShape,
  ) {
    this.#writer = new StatementWriter(dialect);
    this.#draft = { writer: this.#writer, tables, restrictions: shape.restrictions };
  }

  static write(dialect: Dialect, tables: TableSql, shape: RelatedShape): Statement {
    const statement = new RelatedStatement(dialect, tables, shape);
    if (shape.limit === 0) statement.#writeAll();
    else if (dialect.hasLateral) statement.#writeLateral();
    else statement.#writeNumbered();
    const isStable = [...shape.restrictions.values()].every(({ isPlain }) => isPlain);
    const preparation = isStable ? 'kept' : 'renewed';
    const needsDriver = shape.columns.some(({ column }) => column.conversion !== undefined);
    return statement.#writer.finish({ preparation, needsDriver });
  }

  #writeAll(): void {
    const related = this.#related();
    const owners = this.#owners();
    const key = owners?.key ?? related.ownerKey;
    this.#writer.write(`select ${this.#list(related)}, ${key} as o`);
    this.#writeOfOwners(related, owners, key);
    this.#writer.write(` order by ${this.#order(related)}`);
  }

  /** A sub-select for each owner: with an index over owner and order it reads no more than it shows. */
  #writeLateral(): void {
    const owners = new Scope(this.#draft, this.shape.owner, true);
    const related = this.#related();
    const order = this.#order(related);
    const list = this.shape.columns.map((_, index) => `related.c${index}`).join(', ');
    this.#writer.write(`select ${list}, ${owners.key} as o from ${owners.table} cross join lateral (`);
    this.#writer.write(`select ${this.#list(related)}, row_number() over (order by ${order}) as nth`);
    this.#writeOwned(related, () => this.#writer.write(related.ownedBy(owners.alias, owners.model)));
    this.#writer.write(` order by ${order} limit ${this.#limit()}) as related where `);
    this.#writeOwners(owners.key);
    // The owners are known to be seen; one that was just written may not be any more.
    owners.writeLimits(' and ', { isWritten: true });
    this.#writer.write(' order by nth');
  }

  #writeNumbered(): void {
    const related = this.#related();
    const owners = this.#owners();
    const key = owners?.key ?? related.ownerKey;
    this.#writer.write(`select * from (select ${this.#list(related)}, ${key} as o, `);
    this.#writer.write(`row_number() over (partition by ${key} order by ${this.#order(related)}) as nth`);
    this.#writeOfOwners(related, owners, key);
    this.#writer.write(`) as related where nth <= ${this.#limit()} order by nth`);
  }

  #related(): RelatedScope {
    const { relation, columns, sorts } = this.shape;
    const related = new RelatedScope(this.#draft, relation);
    related.reserve([...columns, ...sorts.map(({ path }) => path)]);
    return related;
  }

  /** The table of the owners, where what refers to one of their keys may spell it in another way than they do. */
  #owners(): Scope | undefined {
    const { owner } = this.shape;
    return isWrittenOneWay(owner.idColumn.property) ? undefined : new Scope(this.#draft, owner, true);
  }

  #writeOfOwners(related: RelatedScope, owners: Scope | undefined, key: string): void {
    this.#writeOwned(related, () => this.#writeOwners(key), owners);
    owners?.writeLimits(' and ', { isWritten: true });
  }

  /** @param owners the table that is joined, so that rows have the key of their owner as it is spelled there */
  #writeOwned(related: RelatedScope, writeOwner: () => void, owners?: Scope): void {
    related.writeFrom();
    if (owners !== undefined)
      this.#writer.write(` inner join ${owners.table} on ${related.ownedBy(owners.alias, owners.model)}`);
    this.#writer.write(' where ');
    writeOwner();
    related.writeMembers();
  }

  #writeOwners(key: string): void {
    const list = this.dialect.among(key, 0, (serialize) =>
      this.#writer.parameter(({ owners = [] }) => serialize(owners)),
    );
    if (list !== undefined) this.#writer.write(list);
    else {
      const each = Array.from({ length: this.shape.ownerCount }, (_, index) =>
        this.#writer.parameter(({ owners }) => owners?.[index]),
      );
      this.#writer.write(`${key} in (${each.join(', ')})`);
    }
  }

  #list(related: RelatedScope): string {
    return this.shape.columns.map((path, index) => `${related.output(path)} as c${index}`).join(', ');
  }

  #order(related: RelatedScope): string {
    const { relation, sorts } = this.shape;
    const keys = sortKeys(relation.target(), sorts).map(({ path, direction, isNullable }) =>
      this.dialect.order(related.rank(path), direction, isNullable),
    );
    const { position } = related;
    return (sorts.length > 0 || position === undefined ? keys : [position, ...keys]).join(', ');
  }

  #limit(): string {
    return this.#writer.parameter(() => this.shape.limit);
  }
}
