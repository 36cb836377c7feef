// Serves the built pages, and below `/api` the service at ATLAS_URL: `node serve.mjs [directory]`. A page and its service are of one
// origin then, as behind any reverse proxy.
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { extname, join, resolve } from 'node:path';

const { ATLAS_URL = 'http://127.0.0.1:3000', PORT = '3001' } = process.env;
const directory = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'));
const types = { '.html': 'text/html; charset=UTF-8', '.js': 'text/javascript; charset=UTF-8' };

const server = createServer((asked, answer) => {
  const { pathname } = new URL(asked.url ?? '/', 'http://localhost');
  if (pathname.startsWith('/api/')) forward(asked, answer);
  else void send(pathname, answer);
});

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Pages: http://127.0.0.1:${server.address().port}/react-admin.html, /refine.html, /query.html`);
});

function forward(asked, answer) {
  const { method, headers, url } = asked;
  const inner = request(`${ATLAS_URL}${url.slice('/api'.length)}`, { method, headers }, (given) => {
    answer.writeHead(given.statusCode, given.headers);
    given.pipe(answer);
  });
  inner.on('error', () => answer.writeHead(502).end());
  asked.pipe(inner);
}

async function send(pathname, answer) {
  const name = /^\/([a-z-]+\.(?:html|js))$/.exec(pathname)?.[1] ?? 'none';
  try {
    const body = await readFile(join(directory, name));
    answer.writeHead(200, { 'Content-Type': types[extname(name)] }).end(body);
  } catch {
    answer.writeHead(404).end();
  }
}
