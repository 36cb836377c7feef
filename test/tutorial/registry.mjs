import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename } from 'node:path';

/**
 * A registry of npm on this machine that has the tarballs, so that commands of the page are run as they stand there.
 * @param {readonly import('../packages/tarballs.mjs').Tarball[]} tarballs
 */
export async function startRegistry(tarballs) {
  const files = new Map(tarballs.map(({ path }) => [`/-/${basename(path)}`, path]));
  const packages = new Map();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const file = files.get(path);
    if (file !== undefined) return createReadStream(file).pipe(response);
    const found = packages.get(path.slice(1));
    response.statusCode = found === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(found ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/`;
  for (const tarball of tarballs) packages.set(tarball.manifest.name, await packumentOf(tarball, url));
  return {
    url,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function packumentOf({ path, manifest }, url) {
  const integrity = `sha512-${createHash('sha512')
    .update(await readFile(path))
    .digest('base64')}`;
  const { name, version } = manifest;
  const dist = { tarball: `${url}-/${basename(path)}`, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
