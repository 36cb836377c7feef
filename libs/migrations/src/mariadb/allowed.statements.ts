import { partsOf, type SqlToken } from './sql.tokens.js';

/** The reason for refusing a statement, and where. */
export interface TokenObjection {
  readonly reason: string;
  readonly token: SqlToken;
}

/** Words that make a table out of data, or out of what is no table of this database. */
const notInTables: ReadonlyMap<string, string> = new Map([
  ...['select', 'with', 'table', 'values'].map((word) => [word, 'a table must not be filled'] as const),
  ['directory', 'a table must not name places of the server'],
  ['connection', 'a table must not name another server'],
  ['partition', 'partitions cannot be compared'],
  ['versioning', 'versions of the system cannot be compared'],
]);

const engines: ReadonlySet<string> = new Set(['innodb', 'aria']);
const indexes = ['unique', 'fulltext', 'spatial'];
const routines = ['trigger', 'function', 'procedure'];
const notAllowed = 'a target schema must not have such a statement';
const removes = 'a target schema says what is there, and removes nothing: only ADD is allowed';

/**
 * Judges a statement by its words. Allowed are the tables, indexes, views, triggers and routines of this database; all that
 * is not known is refused: data, privileges, other databases, and what could not be compared.
 */
export function objectionTo(tokens: readonly SqlToken[]): TokenObjection | undefined {
  const [first] = tokens;
  if (first === undefined) return undefined;
  const open = tokens.find(({ kind }) => kind === 'open');
  if (open !== undefined)
    return {
      token: open,
      reason: 'a text or comment that does not end, a comment that is run, or a control character',
    };
  const words = skipped(tokens);
  const sort = words[0]?.text ?? '';
  if (first.text === 'alter')
    return tokens[1]?.text === 'table' ? ofAlter(tokens) : { token: first, reason: notAllowed };
  if (first.text !== 'create') return { token: first, reason: notAllowed };
  if (sort === 'table') return ofTable(words.slice(1)) ?? elsewhere(words.slice(1));
  if (sort === 'index' || (indexes.includes(sort) && words[1]?.text === 'index')) return ofIndex(words);
  const library = words.find(({ kind, text }) => kind === 'word' && text === 'soname');
  if (library !== undefined)
    return { token: library, reason: 'a function must not be a library of the server' };
  if (sort === 'view' || routines.includes(sort)) return elsewhere(words.slice(1));
  return { token: words[0] ?? first, reason: notAllowed };
}

/** The words behind `create`, `or replace` and what a view says of itself. */
function skipped(tokens: readonly SqlToken[]): readonly SqlToken[] {
  let rest = tokens.slice(1);
  if (rest[0]?.text === 'or' && rest[1]?.text === 'replace') rest = rest.slice(2);
  if (rest[0]?.text === 'algorithm' && rest[1]?.text === '=') rest = rest.slice(3);
  if (rest[0]?.text === 'sql' && rest[1]?.text === 'security') rest = rest.slice(3);
  if (rest[0]?.text === 'aggregate') rest = rest.slice(1);
  return rest;
}

/** Refuses the name of another database in front of that of the object. */
function elsewhere(tokens: readonly SqlToken[]): TokenObjection | undefined {
  const hasIf = tokens[0]?.text === 'if' && tokens[1]?.text === 'not';
  const dot = tokens[hasIf ? 4 : 1];
  return dot?.text === '.' ? qualified(dot) : undefined;
}

function qualified(token: SqlToken): TokenObjection {
  return { token, reason: 'an object must be of this database: its name stands alone' };
}

function ofTable(tokens: readonly SqlToken[]): TokenObjection | undefined {
  for (const [index, token] of tokens.entries()) {
    const reason = token.kind === 'word' ? notInTables.get(token.text) : undefined;
    if (reason !== undefined) return { token, reason };
    if (token.text === '.' && !isInNumber(tokens[index - 1], tokens[index + 1])) return qualified(token);
    if (token.text === 'engine' && token.kind === 'word') {
      const engine = tokens[index + (tokens[index + 1]?.text === '=' ? 2 : 1)];
      if (engine?.kind !== 'word' || !engines.has(engine.text))
        return { token, reason: `an engine must be one of ${[...engines].join(', ')}` };
    }
  }
  return undefined;
}

/** True between the digits of a number: no name is of digits alone unless it is quoted. */
function isInNumber(before: SqlToken | undefined, after: SqlToken | undefined): boolean {
  const begins = before === undefined || before.kind === 'mark' || /^\d+$/.test(before.text);
  return begins && after?.kind === 'word' && /^\d/.test(after.text);
}

function ofIndex(words: readonly SqlToken[]): TokenObjection | undefined {
  const dot = words.find(({ text }) => text === '.');
  return dot === undefined ? undefined : qualified(dot);
}

function ofAlter(tokens: readonly SqlToken[]): TokenObjection | undefined {
  const [first, , name] = tokens;
  if (first === undefined) return undefined;
  if (name === undefined || !['word', 'name'].includes(name.kind))
    return { token: name ?? first, reason: notAllowed };
  for (const [begun] of partsOf(tokens.slice(3)))
    if (begun?.text !== 'add') return { token: begun ?? name, reason: removes };
  return ofTable(tokens.slice(3));
}
