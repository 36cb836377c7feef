import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { MigrationFailure } from '../migration.failure.js';
import type { SourceText } from './source.text.js';

/** An entry of the target schema, and its source. */
export interface SqlEntry {
  /** The name in messages, e.g. `sql[0]`. */
  readonly name: string;
  /** SQL text, or the path of a file or of a directory of `.sql` files. */
  readonly value: string;
  /** True if it may name a path of this machine; text that a client sent may not. */
  readonly mayBePath: boolean;
  /** True if the path may be missing (contract: Migrations, auto-imported paths). */
  readonly mayBeMissing?: boolean;
}

/** The words that SQL begins with. A text with a forgotten semicolon is then not taken for a path. */
const beginning =
  /^\s*(?:--|\/\*|(?:create|alter|comment|grant|revoke|drop|insert|select|with|set|do|begin)\b)/i;

/** Reads an entry: a path that is there wins, then what looks like SQL is taken as such. @throws MigrationFailure */
export async function readEntry(entry: SqlEntry): Promise<readonly SourceText[]> {
  const { name, value, mayBePath, mayBeMissing = false } = entry;
  if (!mayBePath) return [{ name, text: value }];
  const path = resolve(value);
  const isThere = !value.includes('\0') && value.trim() !== '' && existsSync(path);
  if (isThere) return readPath(path);
  if (mayBeMissing) return [];
  if (value.trim() === '' || /[;\n]/.test(value) || beginning.test(value)) return [{ name, text: value }];
  throw new MigrationFailure(`${name}: there is no file or directory '${value}'`);
}

async function readPath(path: string): Promise<readonly SourceText[]> {
  if (!statSync(path).isDirectory()) return [await readSqlFile(path)];
  const names = await readdir(path, { recursive: true });
  // The same order on every machine, whatever its locale.
  const files = names.filter((name) => name.toLowerCase().endsWith('.sql')).sort();
  return Promise.all(
    files
      .map((file) => join(path, file))
      .filter(isFile)
      .map(readSqlFile),
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

async function readSqlFile(path: string): Promise<SourceText> {
  const name = relative('', path) || path;
  const bytes = await readFile(path);
  try {
    // A decoder takes a byte order mark away.
    return { name, path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (cause) {
    throw new MigrationFailure(`${name}: the file is not valid UTF-8`, { cause });
  }
}
