import { MigrationFailure } from '../migration.failure.js';
import { partsOf, tokensOf, unquoted, type SqlToken } from './sql.tokens.js';

/** A table as `show create table` writes it, in parts; every text is the server's own. */
export interface TableDefinition {
  readonly name: string;
  /** The whole statement. */
  readonly sql: string;
  /** Definitions behind the names, in the order of the table. */
  readonly columns: ReadonlyMap<string, ColumnDefinition>;
  /** Indexes; the primary key has the name of no other. */
  readonly keys: ReadonlyMap<string, string>;
  readonly foreignKeys: ReadonlyMap<string, string>;
  readonly checks: ReadonlyMap<string, string>;
  /** The options by their names, e.g. `DEFAULT CHARSET`. */
  readonly options: ReadonlyMap<string, string>;
}

/** A column, without its name. */
export interface ColumnDefinition {
  readonly sql: string;
  /** The type without its collation. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly isGenerated: boolean;
  /** True if its values are stored: those that are computed when they are read are none that could be kept. */
  readonly isStored: boolean;
  /** True if the database gives a row that does not name it a value of the column's own. */
  readonly hasValue: boolean;
}

/** The name of the primary key, which MariaDB lets no index have. */
export const primary = 'PRIMARY';

/** @throws MigrationFailure for a table that has what is not known, so that nothing is left out of a comparison */
export function tableDefinition(name: string, sql: string): TableDefinition {
  const unknown = (token?: SqlToken): MigrationFailure =>
    new MigrationFailure(`table ${name} cannot be compared: ${sql.slice(token?.start ?? 0).slice(0, 60)}`);
  const tokens = tokensOf(sql);
  const [start, end] = parentheses(tokens);
  const columns = new Map<string, ColumnDefinition>();
  const [keys, foreignKeys, checks] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];
  const textOf = (part: readonly SqlToken[]): string => sql.slice(part[0]?.start ?? 0, part.at(-1)?.end ?? 0);
  for (const part of partsOf(tokens.slice(start + 1, end))) {
    const [first, second, third] = part;
    if (first === undefined) throw unknown();
    const sort = first.text;
    if (first.kind === 'name') columns.set(unquoted(first), columnDefinition(part.slice(1), textOf));
    else if (sort === 'primary') keys.set(primary, textOf(part));
    else if (sort === 'key' && second !== undefined) keys.set(unquoted(second), textOf(part));
    else if (['unique', 'fulltext', 'spatial'].includes(sort) && third !== undefined)
      keys.set(unquoted(third), textOf(part));
    else if (sort === 'constraint' && second !== undefined && third?.text === 'foreign')
      foreignKeys.set(unquoted(second), textOf(part));
    else if (sort === 'constraint' && second !== undefined && third?.text === 'check')
      checks.set(unquoted(second), textOf(part));
    else throw unknown(first);
  }
  const options = optionsOf(tokens.slice(end + 1), textOf);
  if (options === undefined) throw unknown(tokens[end + 1]);
  return { name, sql, columns, keys, foreignKeys, checks, options };
}

function parentheses(tokens: readonly SqlToken[]): readonly [start: number, end: number] {
  const start = tokens.findIndex(({ text }) => text === '(');
  let depth = 0;
  for (const [index, { text }] of tokens.entries()) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (text === ')' && depth === 0) return [start, index];
  }
  return [start, tokens.length];
}

type TextOf = (part: readonly SqlToken[]) => string;

function columnDefinition(part: readonly SqlToken[], textOf: TextOf): ColumnDefinition {
  let end = part[1]?.text === '(' ? part.findIndex(({ text }) => text === ')') + 1 : 1;
  while (['unsigned', 'zerofill'].includes(part[end]?.text ?? '')) end += 1;
  const words: string[] = [];
  let depth = 0;
  for (const { kind, text } of part.slice(end)) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (kind === 'word' && depth === 0) words.push(text);
  }
  const isRequired = words.join(' ').includes('not null');
  const isGenerated = words.includes('generated') || words.includes('as');
  const isStored = !isGenerated || words.includes('stored') || words.includes('persistent');
  const hasValue = isGenerated || words.includes('default') || words.includes('auto_increment');
  return { sql: textOf(part), type: textOf(part.slice(0, end)), isRequired, isGenerated, isStored, hasValue };
}

/** The position of a counter is data. @returns undefined for what is no list of options, such as partitions */
function optionsOf(tokens: readonly SqlToken[], textOf: TextOf): ReadonlyMap<string, string> | undefined {
  const options = new Map<string, string>();
  let rest = tokens;
  while (rest.length > 0) {
    const equals = rest.findIndex(({ text }) => text === '=');
    const value = rest[equals + 1];
    if (equals < 1 || equals > 2 || value === undefined) return undefined;
    const name = textOf(rest.slice(0, equals)).toUpperCase();
    if (name !== 'AUTO_INCREMENT') options.set(name, textOf([value]));
    rest = rest.slice(equals + 2);
  }
  return options;
}
