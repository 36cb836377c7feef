// An application of the tarballs as a process of its own, and what its clients see.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';

/** In milliseconds, for the application to start and to answer. */
const patience = 180_000;

/**
 * Runs a program of an application while `visit` talks to it.
 * @param {string} app
 * @param {string[]} words the program, and what it is told
 * @param {(address: string, told: () => string) => Promise<void>} visit what it has told until then
 */
export async function serve(app, words, visit) {
  const child = spawn(process.execPath, words, { cwd: app, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const late = setTimeout(() => child.kill('SIGKILL'), patience);
  let told = '';
  child.stdout.on('data', (chunk) => (told += chunk));
  try {
    await visit(await addressOf(child), () => told);
  } finally {
    child.kill('SIGTERM');
    await exited;
    clearTimeout(late);
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function addressOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /^listening on (\S+)$/.exec(line) ?? [];
    if (!address) continue;
    child.stdout.resume();
    return address;
  }
  throw new Error('the application ended before it listened');
}

const book = { title: 'Invisible Cities', page_count: 165 };
const envelope = { status: 'success', error: '', data: { id: 1, ...book }, pagination: {}, input_errors: {} };
const found = {
  ...envelope,
  data: [envelope.data],
  pagination: { number_results: 1, limit: 50, next_page: {} },
};
const unknown = { ...envelope, status: 'client_error', error: 'Not Found', data: [] };

/**
 * On both roads: a guard of the user's stands around the endpoint at `/guarded/books`.
 * @param {string} address
 * @param {() => string} told
 */
export async function createAndRead(address, told) {
  const body = JSON.stringify(book);
  await expect('POST', `${address}/books`, { body }, { statusCode: 201, body: envelope });
  await expect('GET', `${address}/books/1`, {}, { statusCode: 200, body: envelope });
  for (const path of ['books/search', 'guarded/books'])
    for (const method of ['GET', 'QUERY'])
      await expect(
        method,
        `${address}/${path}?title=Invisible%20Cities`,
        {},
        { statusCode: 200, body: found },
      );
  await expect('GET', `${address}/nowhere`, {}, { statusCode: 404, body: unknown });
  await expect('SEARCH', `${address}/guarded/books`, {}, { statusCode: 404, body: unknown });
  const road = /'books': (the [^\n]*)/.exec(told())?.[1];
  if (!road?.startsWith('the straight road')) throw new Error(`/books is on ${road ?? 'no road'}`);
}

/**
 * @param {string} method
 * @param {string} url
 * @param {RequestInit} init
 * @param {unknown} expected
 */
async function expect(method, url, init, expected) {
  const headers = { 'Content-Type': 'application/json' };
  const signal = AbortSignal.timeout(patience);
  const response = await fetch(url, { method, ...init, headers, signal });
  const actual = { statusCode: response.status, body: await response.json() };
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(
    `${method} ${url} answered ${JSON.stringify(actual)}\ninstead of ${JSON.stringify(expected)}`,
  );
}
