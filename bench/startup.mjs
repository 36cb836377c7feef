// `npm run bench:startup`: what 200 endpoints over 50 entities add to the start of a bare Nest + MikroORM application, how
// long the sample takes to its first answer, and how long one of its commands takes.
import { fileURLToPath } from 'node:url';
import { startPostgres } from './database/postgres.mjs';
import { median } from './report/median.mjs';
import { markdownTable } from './report/tables.mjs';
import { Child } from './runs/child.mjs';
import { buildSample, commandTime, serviceStart } from './startup/sample.start.mjs';

const starts = 5;
const limits = { milliseconds: 1500, memory: 60 };

const entry = fileURLToPath(new URL('startup/startup.entry.mjs', import.meta.url));

async function start(what, platform, databaseUrl) {
  const child = new Child(entry, [what, platform], {
    env: { DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
    execArgv: ['--expose-gc'],
  });
  const figures = await child.answer();
  await child.stop();
  return figures;
}

/** Medians of starts that take turns. */
async function compared(platform, databaseUrl) {
  const samples = { bare: [], endpoints: [] };
  for (let round = 0; round < starts; round += 1)
    for (const what of Object.keys(samples)) samples[what].push(await start(what, platform, databaseUrl));
  const middle = (what, key) => median(samples[what].map((figures) => figures[key]));
  return Object.fromEntries(
    Object.keys(limits).map((key) => {
      const [bare, endpoints] = [middle('bare', key), middle('endpoints', key)];
      return [key, { bare, endpoints, added: endpoints - bare }];
    }),
  );
}

/** What is started of the sample, and the milliseconds it may take. */
const sampleStarts = [
  { title: 'the sample, to its first answer', measure: serviceStart, limit: 900 },
  { title: 'npm run cli -- cities --limit=5', measure: commandTime, limit: 800 },
];

/** Medians again; the first start of all loads the atlas into the database, and keeps the compiled code. */
async function sampleRows(databaseUrl) {
  await buildSample();
  const samples = sampleStarts.map(() => []);
  for (let round = -1; round < starts; round += 1)
    for (const [index, { measure }] of sampleStarts.entries()) {
      const milliseconds = await measure(databaseUrl);
      if (round >= 0) samples[index].push(milliseconds);
    }
  return sampleStarts.map(({ title, limit }, index) => {
    const found = median(samples[index]);
    if (found > limit) {
      console.error(`${title}: ${found.toFixed(0)} ms; the limit is ${limit}.`);
      process.exitCode = 1;
    }
    return [title, found.toFixed(0), String(limit)];
  });
}

const postgres = await startPostgres();
try {
  const rows = [];
  for (const platform of ['express', 'fastify']) {
    const { milliseconds, memory } = await compared(platform, postgres.url);
    for (const [key, unit, { bare, endpoints, added }] of [
      ['milliseconds', 'ms', milliseconds],
      ['memory', 'MB', memory],
    ]) {
      rows.push([
        `${platform}, ${unit}`,
        ...[bare, endpoints, added, limits[key]].map((one) => one.toFixed(0)),
      ]);
      if (added <= limits[key]) continue;
      console.error(
        `On ${platform}, 200 endpoints add ${added.toFixed(0)} ${unit}; the limit is ${limits[key]}.`,
      );
      process.exitCode = 1;
    }
  }
  console.log(`Median of ${starts} starts\n`);
  console.log(markdownTable([['', 'bare', '200 endpoints', 'added', 'limit'], ...rows]));
  console.log(`\n${markdownTable([['', 'ms', 'limit'], ...(await sampleRows(postgres.url))])}`);
} finally {
  await postgres.stop();
}
