import { open, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { decoded, readJson, type JsonText } from './json.text.js';
import { UsageError } from './usage.error.js';

/** A body that is no value of JSON: it flows from where it is, however long it is. */
export class FlowingBody {
  constructor(
    readonly stream: Readable,
    readonly contentType: string,
    /** In bytes; undefined where nobody knows it before its end. */
    readonly size?: number,
  ) {}
}

/** The content types of files, by what their names end with. */
const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.csv', 'text/csv'],
  ['.ndjson', 'application/x-ndjson'],
  ['.jsonl', 'application/x-ndjson'],
  ['.json', 'application/json'],
]);

/** True if a body of a content type is one value of JSON. */
export function isJsonType(contentType: string): boolean {
  return /^application\/([^;]+\+)?json\b/i.test(contentType);
}

/**
 * Opens the body that is in a file.
 *
 * @param said the content type that the command says; undefined where the name of the file tells it
 * @throws UsageError for a file that cannot be read, or of which nobody knows what it is
 */
export async function fileBody(path: string, said: string | undefined): Promise<FlowingBody | JsonText> {
  const contentType = said ?? contentTypes.get(extname(path).toLowerCase());
  if (contentType === undefined)
    throw new UsageError(`What is in '${path}'? Say so: -H 'Content-Type: text/csv'.`);
  try {
    const stats = await stat(path);
    // A directory can be opened, and is found out by its first read: a flowing one's comes too late.
    if (stats.isDirectory()) throw new UsageError(`'${path}' cannot be read: it is a directory.`);
    if (isJsonType(contentType)) return readJson(decoded(await readFile(path), `'${path}'`), `'${path}'`);
    const file = await open(path);
    return new FlowingBody(file.createReadStream(), contentType, stats.isFile() ? stats.size : undefined);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`'${path}' cannot be read: ${reason}`, { cause: error });
  }
}
