// `npm run bench:jwks`: what a verified token costs a request, once the service has seen it.
import { parseArgs } from 'node:util';
import { figuresIn } from './report/figure.mjs';
import { makeToken } from './runs/token.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });

/** What a verified request may take more of, at most. */
const allowed = 0.15;

// Applications and load generator find them here, and read them when they are loaded.
const { keys, token } = makeToken({});
process.env.BENCH_KEYS = keys;
process.env.BENCH_TOKEN = token;
const { measureRounds } = await import('./runs/rounds.mjs');
const names = ['ours-express', 'ours-express-jwks', 'ours-fastify', 'ours-fastify-jwks'];
const options = {
  records: 10_000,
  rounds: Number(values.rounds),
  seconds: 3,
  turns: 6,
  warmup: 1,
  connections: 64,
  applications: names,
  cases: ['get'],
};
const { samples } = await measureRounds(options, { onProgress: () => undefined });
const figure = (name, key) => figuresIn(samples)(name, 'get', key);

let isWithin = true;
for (const platform of ['express', 'fastify']) {
  const [open, verified] = [`ours-${platform}`, `ours-${platform}-jwks`];
  const throughput = 1 - figure(verified, 'perSecond') / figure(open, 'perSecond');
  const cpu = figure(verified, 'cpu') / figure(open, 'cpu') - 1;
  isWithin &&= throughput < allowed;
  const percent = (part) => `${(part * 100).toFixed(1)} %`;
  console.log(
    `${platform}: ${figure(open, 'perSecond').toFixed(0)} requests/s public, ${figure(verified, 'perSecond').toFixed(0)} verified: ` +
      `${percent(throughput)} less throughput, ${percent(cpu)} more CPU (${percent(allowed)} less throughput is the limit)`,
  );
}
process.exitCode = isWithin ? 0 : 1;
