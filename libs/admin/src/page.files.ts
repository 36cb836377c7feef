import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { RawReply, type HeaderLines } from '@nest-endpoints/core/kinds';

/** The built page, from the sources and from what is compiled of them alike. */
const folder = new URL('../dist/page/', import.meta.url);

/** The names that the build gives, with a part of the hash of what is in them. */
const builtName = /^(?:admin|part)-[A-Z0-9]{8}\.js$/;

/** The script of the page and what it loads later, by name. */
export class PageFiles {
  #read: Promise<ReadonlyMap<string, Buffer>> | undefined;

  /** The name of the script that starts the page; undefined where the page is not built. */
  async entry(): Promise<string | undefined> {
    const files = await this.#files();
    return [...files.keys()].find((name) => name.startsWith('admin-'));
  }

  /** The reply with a file; undefined for any other name. A name never has another content, so that nobody asks twice. */
  async reply(name: string, headers: HeaderLines): Promise<RawReply | undefined> {
    const content = (await this.#files()).get(name);
    if (content === undefined) return undefined;
    const kept: HeaderLines = [...headers, ['Cache-Control', 'public, max-age=31536000, immutable']];
    return new RawReply(content, 'text/javascript; charset=UTF-8', kept, 200, false, tagOf(content));
  }

  /** Read when somebody first asks. What could not be read is read again for the next one. */
  #files(): Promise<ReadonlyMap<string, Buffer>> {
    this.#read ??= readAll().catch(() => {
      this.#read = undefined;
      return new Map<string, Buffer>();
    });
    return this.#read;
  }
}

/** The tag of an answer, with its quotes. */
export function tagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

async function readAll(): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(folder)).filter((name) => builtName.test(name));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder))] as const)),
  );
}
