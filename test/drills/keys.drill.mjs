// The key server hangs, answers nonsense, is gone, changes its keys: good tokens stay good, and it is not run down.
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyServer, TokenIssuer } from '@nest-endpoints/testing';
import { clientOf } from './support/client.mjs';
import { isUnavailable, largest, repeatedly, whole } from './support/figures.mjs';
import { freePort } from './support/free.port.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

/** In seconds; as short as they may be, so that a drill sees keys grow old. */
const jwksCacheTime = 2;
const jwksCooldown = 1;

/** What a key server may do instead of answering. */
const faults = {
  hangs: () => undefined,
  drips: (_request, response) => void response.writeHead(200).write('{"keys":['),
  'answers a page': (_request, response) => void response.end('<html>Sign in, please</html>'),
  'has no keys': (_request, response) => void response.end('{"keys":[]}'),
  'answers 500': (_request, response) => void response.writeHead(500).end(),
  'cuts connections': (request) => void request.socket.destroy(),
};

export const drill = {
  /** Its limits are times that whatever runs beside it would spoil. */
  isAlone: true,
  forms: { short: { time: 1500 }, full: { time: 20_000 } },
  limits: {
    // Eight callers, a few in each second.
    goodTokens: atLeast(({ time }) => time / 20),
    goodTokensRefused: exactly(0),
    slowestGoodToken: atMost(4500),
    strangersLetIn: exactly(0),
    slowestStranger: atMost(4500),
    publicRefused: exactly(0),
    readingsTooMany: exactly(0),
    newKeyTakes: atMost(1000 * jwksCooldown + 500),
    retiredKeyServes: atMost(1000 * jwksCacheTime + 500),
    withoutKeysOtherThanUnavailable: exactly(0),
    firstKeysTake: atMost(1000 * jwksCooldown + 500),
  },

  /** @param time how long each fault lasts, in milliseconds */
  async run(stage, { time }) {
    const issuer = await TokenIssuer.create();
    const port = await freePort();
    const jwks = {
      jwksUrl: `http://127.0.0.1:${String(port)}/.well-known/jwks.json`,
      jwksCacheTime,
      jwksCooldown,
    };
    const application = await stage.application({
      entry: new URL('applications/keys.mjs', import.meta.url),
      jwks,
    });
    const client = clientOf(application.url);
    stage.defer(() => client.close());
    const ask = (token) => client.get('/mine', { authorization: `Bearer ${token}` });
    const good = await issuer.token();
    const strange = await (await TokenIssuer.create()).token();

    const withoutKeys = await Promise.all(Array.from({ length: 20 }, () => ask(good)));
    const server = await KeyServer.start(issuer, { port });
    stage.defer(() => server.close());
    const firstKeysTake = await until(async () => (await ask(good)).status === 200);

    const figures = { goodTokens: [], strangers: [], open: [], readingsTooMany: 0 };
    for (const fault of [undefined, ...Object.values(faults)]) {
      server.answer = fault;
      const readings = server.requests;
      const begun = performance.now();
      await load({ client, ask, good, strange, end: begun + time, figures });
      const took = (performance.now() - begun) / 1000;
      // One for each cool-down, one for keys that have grown old, one that was under way.
      const allowed = Math.ceil(took / jwksCooldown) + 2;
      figures.readingsTooMany += Math.max(0, server.requests - readings - allowed);
    }

    server.answer = undefined;
    await sleep(1000 * jwksCooldown);
    const old = issuer.kid;
    await issuer.rotate();
    const fresh = await issuer.token();
    const newKeyTakes = await until(async () => (await ask(fresh)).status === 200);
    await issuer.retire(old);
    const retiredKeyServes = await until(async () => (await ask(good)).status === 401);
    const { goodTokens, strangers, open, readingsTooMany } = figures;
    return {
      goodTokens: goodTokens.length,
      goodTokensRefused: goodTokens.filter(({ status }) => status !== 200).length,
      slowestGoodToken: whole(largest(goodTokens.map(({ took }) => took))),
      strangersLetIn: strangers.filter(({ status }) => status !== 401 && status !== 503).length,
      slowestStranger: whole(largest(strangers.map(({ took }) => took))),
      publicRefused: open.filter(({ status }) => status !== 200).length,
      readingsTooMany,
      newKeyTakes,
      retiredKeyServes,
      withoutKeysOtherThanUnavailable: withoutKeys.filter((answer) => !isUnavailable(answer)).length,
      firstKeysTake,
    };
  },
};

/** Good tokens, tokens of strangers, and requests without any, side by side. */
async function load({ client, ask, good, strange, end, figures }) {
  const isOver = () => performance.now() > end;
  await Promise.all([
    repeatedly(8, isOver, async () => figures.goodTokens.push(brief(await ask(good)))),
    repeatedly(8, isOver, async () => figures.strangers.push(brief(await ask(strange)))),
    repeatedly(2, isOver, async () => figures.open.push(brief(await client.get('/health')))),
  ]);
}

const brief = ({ status, took }) => ({ status, took });

/** How long it takes until something is so, in milliseconds; at most ten seconds. */
async function until(isSo) {
  const begun = performance.now();
  while (performance.now() - begun < 10_000) {
    if (await isSo()) break;
    await sleep(20);
  }
  return whole(performance.now() - begun);
}
