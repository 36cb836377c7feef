// A process of one application: `node --expose-gc application.entry.mjs <application>`, with an IPC channel.
import { get } from 'node:http';

const [, , name] = process.argv;
const { start } = await import(`../applications/${name}.mjs`);

/** A start is over when a first record has been answered: some connect only then. */
const firstAnswer = (port) =>
  new Promise((resolve, reject) => {
    const { BENCH_TENANT_TOKEN, BENCH_TOKEN: token = BENCH_TENANT_TOKEN } = process.env;
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    get({ port, host: '127.0.0.1', path: '/users/1', headers, agent: false }, (response) => {
      response
        .resume()
        .on('end', () =>
          response.statusCode === 200
            ? resolve()
            : reject(new Error(`${name} answers its first request with ${String(response.statusCode)}`)),
        );
    }).on('error', reject);
  });

const questions = {
  /** Microseconds of CPU so far. */
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  /** Bytes that the process holds, once it has let go of what it can. */
  memory: () => {
    globalThis.gc();
    return process.memoryUsage.rss();
  },
};

process.on('message', (question) => process.send(questions[question]()));
process.on('disconnect', () => process.exit());

const port = await start(process.env.DATABASE_URL);
await firstAnswer(port);
process.send({ port, coldStart: performance.now() });
