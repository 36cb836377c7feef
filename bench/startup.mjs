// `npm run bench:startup`: what 200 endpoints over 50 entities add to the start of a bare Nest + MikroORM application.
import { fileURLToPath } from 'node:url';
import { startPostgres } from './database/postgres.mjs';
import { median } from './report/median.mjs';
import { markdownTable } from './report/tables.mjs';
import { Child } from './runs/child.mjs';

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
} finally {
  await postgres.stop();
}
