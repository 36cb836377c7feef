import { arrayLiteral, type Item } from '../array.literal.js';
import type { StatementInputs, StatementWriter } from '../statement.js';
import type { StoredColumn } from './stored.columns.js';

/** The number of a record among those that a statement was given. No column has such a name. */
export const positionName = '*position';

/** Lists that one parameter each brings, taken apart into rows: the text does not tell how many there are. */
export class ValueLists {
  readonly #lists: string[] = [];
  readonly #names: string[] = [];

  /** @param alias of the rows */
  constructor(
    private readonly writer: StatementWriter,
    private readonly alias: string,
  ) {}

  /**
   * Adds a value to each row, of the type that a column has, so that the database reads it as it would a single one. The first
   * list says how many rows there are; any other that has one value alone gives it to all of them.
   * @returns the value of a row
   */
  add({ type, list }: StoredColumn, values: (inputs: StatementInputs) => readonly unknown[]): string {
    const { dialect } = this.writer;
    const isFirst = this.#lists.length === 0;
    const parameter = this.writer.parameter((inputs) => {
      const given = values(inputs) as readonly Item[];
      return arrayLiteral(isFirst || !isOne(given) ? given : given.slice(0, 1));
    });
    const name = dialect.quote(`*${this.#names.length}`);
    const items = `${parameter}::${list ?? 'text[]'}`;
    this.#lists.push(items);
    this.#names.push(name);
    const own = `${dialect.quote(this.alias)}.${name}`;
    const value = isFirst ? own : `case when cardinality(${items}) = 1 then (${items})[1] else ${own} end`;
    return list === undefined ? `(${value})::${type}` : `(${value})`;
  }

  get position(): string {
    const { dialect } = this.writer;
    return `${dialect.quote(this.alias)}.${dialect.quote(positionName)}`;
  }

  /** The rows, for a `from`. */
  get rows(): string {
    const { dialect } = this.writer;
    const names = [...this.#names, dialect.quote(positionName)].join(', ');
    return `unnest(${this.#lists.join(', ')}) with ordinality as ${dialect.quote(this.alias)}(${names})`;
  }
}

/** True if all values are the same: the time at which records are made, say. */
function isOne(values: readonly unknown[]): boolean {
  const [first] = values;
  for (const value of values) if (value !== first) return false;
  return true;
}
