import type { ParseResult } from 'libpg-query';
import { MigrationFailure } from '../migration.failure.js';
import { codePoints, TextPositions, type TextPosition } from '../sources/text.position.js';
import type { SourceText } from '../sources/source.text.js';
import { plainSql } from './plain.sql.js';
import { SqlStatement } from './sql.statement.js';

/** PostgreSQL's own parser. Loaded with the first target: it takes memory that a service without migrations can spare. */
const loadParser = (): Promise<typeof import('libpg-query')> => import('libpg-query');

/**
 * The statements of a source.
 *
 * @param before SQL to put before its text, in ASCII. Places are those of the text alone
 * @throws MigrationFailure, `file:line:column: …`, for text that is no SQL
 */
export async function parseSource(source: SourceText, before = ''): Promise<readonly SqlStatement[]> {
  const { name, text } = source;
  const positions = new TextPositions(text);
  // The parser is written in C and would take the text to end here, while a reader sees it go on.
  const nul = text.indexOf('\0');
  if (nul !== -1)
    throw failure(name, positions.at(codePoints(text.slice(0, nul))), 'the text contains a NUL character');
  if (!text.isWellFormed()) throw new MigrationFailure(`${name}: the text contains an unpaired surrogate`);
  const plain = plainSql(source);
  // The parser takes no empty text.
  if (plain.trim() === '') return [];
  const sql = before + plain;
  const { stmts = [] } = await parsed(name, sql, (place) => positions.at(place - before.length));
  const bytes = Buffer.from(sql);
  const statements: SqlStatement[] = [];
  let characters = -before.length;
  let read = 0;
  for (const { stmt, stmt_location: start = 0, stmt_len: length } of stmts) {
    if (stmt === undefined) continue;
    characters += codePoints(bytes.subarray(read, start).toString());
    read = start;
    const end = length === undefined || length === 0 ? bytes.length : start + length;
    const own = bytes.subarray(start, end).toString();
    statements.push(new SqlStatement(source, positions, { characters, bytes: start }, own, stmt));
  }
  return statements;
}

async function parsed(
  name: string,
  sql: string,
  positionAt: (characters: number) => TextPosition,
): Promise<ParseResult> {
  const { parse, SqlError } = await loadParser();
  try {
    return await parse(sql);
  } catch (error) {
    if (error instanceof SqlError)
      throw failure(name, positionAt(error.sqlDetails?.cursorPosition ?? 0), error.message, error);
    // Its stack is the only limit it has; nothing else of it can fail.
    throw new MigrationFailure(`${name}: the SQL is nested too deeply to be read`, { cause: error });
  }
}

function failure(
  name: string,
  { line, column }: TextPosition,
  message: string,
  cause?: unknown,
): MigrationFailure {
  return new MigrationFailure(`${name}:${line}:${column}: ${message}`, { cause });
}
