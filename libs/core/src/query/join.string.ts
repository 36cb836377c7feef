import { ConfigurationError } from '../wire/configuration.error.js';

/** One side of a join's condition. */
export interface JoinedColumn {
  readonly alias: string;
  readonly columnName: string;
}

/** A string of the `joins` option, taken apart. */
export interface JoinString {
  readonly text: string;
  readonly kind: 'inner' | 'left';
  readonly table: string;
  readonly alias: string;
  /** Pairs of columns that must be equal. */
  readonly on: readonly (readonly [JoinedColumn, JoinedColumn])[];
}

const quote = '["`]?';
const name = String.raw`${quote}([\p{L}\p{N}_$]+)${quote}`;
const shape = new RegExp(
  String.raw`^\s*(?:(inner|left)\s+(?:outer\s+)?)?join\s+${name}(?:\s+(?:as\s+)?(?!on\s)${name})?\s+on\s+(.+?)\s*$`,
  'isu',
);
const equality = new RegExp(String.raw`^\s*\(?${name}\.${name}\s*=\s*${name}\.${name}\)?\s*$`, 'iu');

/** True if an entry of `joins` is meant as SQL, and not as a relation path. */
export function isJoinString(text: string): boolean {
  return /\s/.test(text.trim());
}

/** Parses `[INNER|LEFT] JOIN table [AS alias] ON a.x=b.y [AND …]`. @throws ConfigurationError */
export function parseJoin(owner: string, text: string): JoinString {
  const [, kind = 'inner', table, alias = table, condition] = shape.exec(text) ?? [];
  const on = condition?.split(/\s+and\s+/i).map((part) => {
    const [, leftAlias, left, rightAlias, right] = equality.exec(part) ?? [];
    if (leftAlias === undefined || left === undefined || rightAlias === undefined || right === undefined)
      return undefined;
    return [
      { alias: leftAlias, columnName: left },
      { alias: rightAlias, columnName: right },
    ] as const;
  });
  if (table === undefined || alias === undefined || on === undefined || on.includes(undefined))
    throw new ConfigurationError(
      owner,
      'joins',
      `'${text}' is neither a relation path nor '[INNER|LEFT] JOIN table [AS alias] ON a.x=b.y'`,
    );
  return {
    text,
    kind: kind.toLowerCase() === 'left' ? 'left' : 'inner',
    table,
    alias,
    on: on.filter((pair) => pair !== undefined),
  };
}
