// The built sample as a process of its own.
import { equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const running = new Set();

/** What `/migrations` wants to hear. */
export const migrationsSecret = 'smoke';

/** What `/cities/import` wants to hear. */
export const bulkSecret = 'many';

/** Starts it; `output` and `errors` grow with what it prints. */
export function launch(port, directory) {
  const environment = {
    ...process.env,
    DATA_DIR: directory,
    HOST: '127.0.0.1',
    PORT: String(port),
    MIGRATIONS_SECRET: migrationsSecret,
    BULK_SECRET: bulkSecret,
  };
  const child = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const service = { child, output: '', errors: '', exit: once(child, 'exit') };
  child.stdout.on('data', (text) => (service.output += text));
  child.stderr.on('data', (text) => (service.errors += text));
  running.add(child);
  void service.exit.then(() => running.delete(child));
  return service;
}

/** Waits until the greeting is printed; gives its address and how long that took. */
export async function listening(service) {
  const started = performance.now();
  for (;;) {
    const url = /listens on (\S+)\. Try:[^]*\n\n$/.exec(service.output)?.[1];
    if (url) return { url, seconds: (performance.now() - started) / 1000 };
    if (service.child.exitCode !== null) throw new Error(`It ended instead of listening: ${service.errors}`);
    if (performance.now() - started > 120_000) throw new Error('It does not listen after two minutes.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function stop(service) {
  service.child.kill('SIGTERM');
  const [code] = await service.exit;
  equal(code, 0, 'exit code after SIGTERM');
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Ends what is left of the processes that were started here. */
export function killAll() {
  for (const child of running) child.kill('SIGKILL');
}
