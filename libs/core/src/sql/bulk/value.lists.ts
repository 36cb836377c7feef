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
   * Adds a value to each row, of the type that a column has, so that the database reads it as it would a single one.
   * @returns the value of a row
   */
  add({ type, list }: StoredColumn, values: (inputs: StatementInputs) => readonly unknown[]): string {
    const { dialect } = this.writer;
    const parameter = this.writer.parameter((inputs) => arrayLiteral(values(inputs) as readonly Item[]));
    const name = dialect.quote(`*${this.#names.length}`);
    this.#lists.push(`${parameter}::${list ?? 'text[]'}`);
    this.#names.push(name);
    const value = `${dialect.quote(this.alias)}.${name}`;
    return list === undefined ? `${value}::${type}` : value;
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
