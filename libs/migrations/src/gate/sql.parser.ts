import type { ParseResult } from 'libpg-query';
import { MigrationFailure } from '../migration.failure.js';
import { codePoints, positionOf } from '../sources/text.position.js';
import type { SourceText } from '../sources/source.text.js';
import { SqlStatement } from './sql.statement.js';

/** PostgreSQL's own parser. Loaded with the first target: it takes memory that a service without migrations can spare. */
const loadParser = (): Promise<typeof import('libpg-query')> => import('libpg-query');

/** The statements of a source. @throws MigrationFailure, `file:line:column: …`, for text that is no SQL */
export async function parseSource(source: SourceText): Promise<readonly SqlStatement[]> {
  const { name, text } = source;
  // The parser is written in C and would take the text to end here, while a reader sees it go on.
  const nul = text.indexOf('\0');
  if (nul !== -1) throw failure(source, codePoints(text.slice(0, nul)), 'the text contains a NUL character');
  if (!text.isWellFormed()) throw new MigrationFailure(`${name}: the text contains an unpaired surrogate`);
  // The parser takes no empty text.
  if (text.trim() === '') return [];
  const { stmts = [] } = await parsed(source);
  const bytes = Buffer.from(text);
  const statements: SqlStatement[] = [];
  let before = 0;
  let read = 0;
  for (const { stmt, stmt_location: start = 0, stmt_len: length } of stmts) {
    if (stmt === undefined) continue;
    before += codePoints(bytes.subarray(read, start).toString());
    read = start;
    const end = length === undefined || length === 0 ? bytes.length : start + length;
    statements.push(new SqlStatement(source, before, bytes.subarray(start, end).toString(), stmt));
  }
  return statements;
}

async function parsed(source: SourceText): Promise<ParseResult> {
  const { parse, SqlError } = await loadParser();
  try {
    return await parse(source.text);
  } catch (error) {
    if (error instanceof SqlError)
      throw failure(source, error.sqlDetails?.cursorPosition ?? 0, error.message, error);
    // Its stack is the only limit it has; nothing else of it can fail.
    throw new MigrationFailure(`${source.name}: the SQL is nested too deeply to be read`, { cause: error });
  }
}

function failure(source: SourceText, characters: number, message: string, cause?: unknown): MigrationFailure {
  const { line, column } = positionOf(source.text, Math.max(0, characters));
  return new MigrationFailure(`${source.name}:${line}:${column}: ${message}`, { cause });
}
