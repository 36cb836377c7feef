import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { Agent, request, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Callable, HealthCheck, Shutdown, shutDownOnSignals } from '@nest-endpoints/core';
import { failure, success } from '../support/answers.js';
import { startApplication, type Application, type ApplicationOptions } from '../support/application.js';
import { everyPlatform, type Combination } from '../support/contract.js';
import { library } from '../support/entities/library.js';
import { log } from '../support/log.js';
import { between } from '../support/waits.js';

/** What a test waits for: the function has begun, the function may end. */
let begun = Promise.withResolvers<undefined>();
let ended = Promise.withResolvers<string>();

const endpoints = [
  new Callable({ url: 'quick', toCall: () => 'here' }),
  new Callable({
    url: 'slow',
    toCall: () => {
      begun.resolve(undefined);
      return ended.promise;
    },
  }),
  new HealthCheck({ url: 'health' }),
  new HealthCheck({ url: 'ready', failsOnShutdown: true }),
];

/** Node's process, as far as signals and the end are concerned. */
class OwnProcess extends EventEmitter {
  readonly #exit = Promise.withResolvers<number>();
  readonly ended = this.#exit.promise;

  exit(code: number): void {
    this.#exit.resolve(code);
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: unknown;
}

let application: Application | undefined;
let ownProcess = new OwnProcess();
const agent = new Agent({ keepAlive: true });

const started = async (
  { platform, database }: Combination,
  root: ApplicationOptions['root'],
): Promise<Application> => {
  begun = Promise.withResolvers();
  ended = Promise.withResolvers();
  ownProcess = new OwnProcess();
  application = await startApplication(platform, database, {
    entities: library,
    root: { ...root },
    endpoints,
  });
  shutDownOnSignals(application.app, { process: ownProcess });
  return application;
};

afterEach(async () => {
  ended.resolve('late');
  await application?.close();
});

afterAll(() => {
  agent.destroy();
});

const get = async ({ url }: Application, path: string, by = agent): Promise<Answer> => {
  const sent = request(`${url}${path}`, { agent: by }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await answer.toArray()).join('');
  return { status: answer.statusCode, connection: answer.headers.connection, body: JSON.parse(text) };
};

const serverOf = ({ app }: Application): Server => app.getHttpServer() as Server;

const connections = (app: Application): Promise<number> =>
  promisify(serverOf(app).getConnections.bind(serverOf(app)))();

/** Lets the event loop turn until something is so. */
const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await turn();
};

/** Listening ends without an event: that comes with the last connection. */
const notListening = async (app: Application): Promise<void> => {
  while (serverOf(app).listening) await sleep(10);
};

const contract = (sentence: string, body: (combination: Combination) => Promise<void>): void => {
  describe.each(everyPlatform)('$platform, $database, $way', (combination) => {
    test(sentence, () => body(combination), 20_000);
  });
};

contract('After a signal the service serves on, and has its clients open new connections', async (on) => {
  const app = await started(on, { drainTime: 2000 });
  expect((await get(app, '/quick')).connection).toBe('keep-alive');
  ownProcess.emit('SIGTERM');
  for (let times = 0; times < 3; times += 1)
    expect(await get(app, '/quick')).toEqual({ status: 200, connection: 'close', body: success('here') });
  expect((await get(app, '/nowhere')).connection).toBe('close');
  expect(await ownProcess.ended).toBe(0);
  await expect(get(app, '/quick')).rejects.toThrow('ECONNREFUSED');
});

contract('A HealthCheck with failsOnShutdown fails from the signal on, others do not', async (on) => {
  const app = await started(on, { drainTime: 2000 });
  expect((await get(app, '/ready')).status).toBe(200);
  ownProcess.emit('SIGTERM');
  expect(app.app.get(Shutdown, { strict: false }).hasBegun).toBe(true);
  expect(await get(app, '/ready')).toEqual({ status: 500, connection: 'close', body: failure('') });
  expect((await get(app, '/health')).status).toBe(200);
  expect(await ownProcess.ended).toBe(0);
});

contract('A request that is in flight when the service stops listening is answered', async (on) => {
  const app = await started(on, { drainTime: 0 });
  const slow = get(app, '/slow');
  await begun.promise;
  ownProcess.emit('SIGTERM');
  await until(() => !serverOf(app).listening);
  ended.resolve('done');
  expect(await slow).toEqual({ status: 200, connection: 'close', body: success('done') });
  expect(await ownProcess.ended).toBe(0);
});

contract('A request that takes longer than closingTime is answered 503', async (on) => {
  const app = await started(on, { drainTime: 0, closingTime: 150 });
  const slow = get(app, '/slow');
  await begun.promise;
  ownProcess.emit('SIGTERM');
  expect(await slow).toEqual({ status: 503, connection: 'close', body: failure('Service Unavailable') });
  expect(await ownProcess.ended).toBe(0);
  expect(log.text('warn')).toContain('the service has stopped');
});

contract(
  'By default the service serves on for 2 seconds, and waits 4 more for what is in flight',
  async (on) => {
    const app = await started(on, undefined);
    const slow = get(app, '/slow');
    await begun.promise;
    const closed = once(serverOf(app), 'close');
    const refused = between(1000, 4000, notListening(app));
    ownProcess.emit('SIGTERM');
    await refused;
    expect((await between(2000, 8000, slow)).status).toBe(503);
    await closed;
    expect(await ownProcess.ended).toBe(0);
  },
);

contract('Connections without a request do not keep the service from stopping', async (on) => {
  const app = await started(on, { drainTime: 0, closingTime: 100 });
  await get(app, '/quick');
  const { port, hostname } = new URL(app.url);
  const sockets = [connect(Number(port), hostname), connect(Number(port), hostname)];
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  sockets[1]?.write('GET /quick HTTP/1.1\r\nHost: x\r\n');
  const closed = sockets.map((socket) =>
    once(
      socket.resume().on('error', () => undefined),
      'close',
    ),
  );
  ownProcess.emit('SIGTERM');
  expect(await ownProcess.ended).toBe(0);
  await Promise.all(closed);
});

contract('A request on a connection from before the end is answered in the envelope', async (on) => {
  const app = await started(on, { drainTime: 0, closingTime: 2000 });
  const { port, hostname } = new URL(app.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  await once(socket, 'connect');
  await until(async () => (await connections(app)) > 0);
  ownProcess.emit('SIGTERM');
  await until(() => !serverOf(app).listening);
  socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n');
  const text = (await socket.toArray()).join('');
  expect(text).toMatch(/^HTTP\/1.1 200 /);
  expect(text).toContain(JSON.stringify(success('here')));
  expect(await ownProcess.ended).toBe(0);
});

contract('A second signal ends the process at once', async (on) => {
  const app = await started(on, { drainTime: 5000 });
  ownProcess.emit('SIGTERM');
  expect((await get(app, '/quick')).status).toBe(200);
  ownProcess.emit('SIGINT');
  expect(await ownProcess.ended).toBe(130);
});

contract('Without a signal the service stops without serving on', async (on) => {
  const app = await started(on, { drainTime: 60_000 });
  await get(app, '/quick');
  await app.app.close();
  await expect(get(app, '/quick', new Agent())).rejects.toThrow('ECONNREFUSED');
});

contract('Nest told to stop by a signal serves on before it stops listening', async (on) => {
  const app = await started(on, { drainTime: 2000 });
  const closed = (app.app as { close(signal: string): Promise<void> }).close('SIGTERM');
  await until(() => app.app.get(Shutdown, { strict: false }).hasBegun);
  expect((await get(app, '/quick')).connection).toBe('close');
  await closed;
  await expect(get(app, '/quick')).rejects.toThrow('ECONNREFUSED');
});
