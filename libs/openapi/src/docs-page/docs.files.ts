import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { RawReply } from '@nest-endpoints/core/kinds';
import { initializer } from './docs.initializer.js';

const require = createRequire(import.meta.url);

/** The files of Swagger UI that the page needs, and their media types. */
const files: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=UTF-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=UTF-8'],
  ['favicon-32x32.png', 'image/png'],
  ['oauth2-redirect.html', 'text/html; charset=UTF-8'],
  ['oauth2-redirect.js', 'text/javascript; charset=UTF-8'],
]);

/** Scripts come from the service alone; requests may go to wherever the document's servers and authorizations are. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'connect-src *',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** The headers of the page and its files. */
export const protectingHeaders = [
  ['Content-Security-Policy', policy],
  ['X-Content-Type-Options', 'nosniff'],
] as const;

const replies = new Map<string, Promise<RawReply>>();

/** A file of the page, read once; undefined for any other name. What could not be read is read again for the next one. */
export function docsFile(name: string): Promise<RawReply> | undefined {
  if (name === 'swagger-initializer.js')
    return Promise.resolve(new RawReply(initializer, 'text/javascript; charset=UTF-8', protectingHeaders));
  const contentType = files.get(name);
  if (contentType === undefined) return undefined;
  const known = replies.get(name);
  if (known !== undefined) return known;
  const reply = read(name, contentType).catch((error: unknown) => {
    replies.delete(name);
    throw error;
  });
  replies.set(name, reply);
  return reply;
}

async function read(name: string, contentType: string): Promise<RawReply> {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  return new RawReply(await readFile(join(folder, name)), contentType, protectingHeaders);
}
