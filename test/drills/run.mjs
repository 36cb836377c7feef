// What the service does while something breaks: `npm run drills` in full, `npm run drills -- --short` as CI does it.
// Names choose among the drills, `--database` among the databases of those that know more than one:
// `npm run drills -- table-locked --database mariadb`. Each prints one line of JSON with its figures;
// the exit code is 1 when one of them is beyond its limits. docs/reliability.md has the figures of a full run.
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { databases } from './support/databases.mjs';
import { Stage } from './support/stage.mjs';
import { missedBy } from './support/limits.mjs';

/** A drill that hangs is a drill that failed, in milliseconds. */
const patience = { short: 120_000, full: 1_800_000 };

const { values: options, positionals: chosen } = parseArgs({
  options: { short: { type: 'boolean', default: false }, database: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const form = options.short ? 'short' : 'full';
const among = options.database ?? Object.keys(databases);

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.drill.mjs'));
const names = files.map((file) => file.replace('.drill.mjs', ''));
endOnUnknown('drill', chosen, names);
endOnUnknown('database', among, Object.keys(databases));

/** What failed and why, in lines that are short enough to be read where only the end of a run is seen. */
const failures = [];
const drills = (await Promise.all((chosen.length > 0 ? chosen : names).map(drillsOf))).flat();
if (drills.length === 0) {
  console.error(`None of these drills knows ${among.join(', ')}`);
  process.exit(2);
}
const alone = drills.filter(({ drill }) => drill.isAlone);
// What breaks beside another breaks as well. The long one begins first, so that none is left over at the end.
const others = drills.filter((one) => !alone.includes(one)).sort(longFirst);
const lanes = form === 'short' ? 2 : 1;
await Promise.all(Array.from({ length: lanes }, () => inTurn(others)));
await inTurn(alone);
for (const failure of failures) console.error(`✗ ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);

function endOnUnknown(what, words, known) {
  const unknown = words.filter((word) => !known.includes(word));
  if (unknown.length === 0) return;
  console.error(`There is no ${what} ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  process.exit(2);
}

/** A drill on each of its databases. Most are about PostgreSQL, or about none. */
async function drillsOf(name) {
  const { drill } = await import(`./${name}.drill.mjs`);
  const known = drill.databases ?? ['postgresql'];
  return known.filter((database) => among.includes(database)).map((database) => ({ name, drill, database }));
}

function longFirst({ drill: one }, { drill: other }) {
  return Number(other.isLong ?? false) - Number(one.isLong ?? false);
}

/** Runs drills until none is left that another lane has not begun. */
async function inTurn(left) {
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const { name, drill, database } = next;
    const result = await outcomeOf(drill, database);
    // In CI a drill that did not run must not look like one that passed.
    if (result.outcome === 'failed' || (process.env.CI && result.outcome === 'skipped'))
      failures.push(`${name} (${database}): ${result.missed?.join('; ') ?? result.why.split('\n', 1)[0]}`);
    console.log(JSON.stringify({ drill: name, ...(drill.databases && { database }), form, ...result }));
  }
}

async function outcomeOf(drill, database) {
  const { reasonAgainst } = databases[database];
  if (reasonAgainst !== undefined) return { outcome: 'skipped', why: reasonAgainst };
  const stage = new Stage(database);
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 100) / 10;
  try {
    const figures = await within(patience[form], drill.run(stage, drill.forms[form]));
    if (figures.skipped !== undefined) return { outcome: 'skipped', why: figures.skipped };
    const missed = missedBy(figures, drill.limits, drill.forms[form]);
    const outcome = missed.length === 0 ? 'passed' : 'failed';
    return { outcome, ...(missed.length > 0 && { missed, log: stage.log() }), figures, seconds: seconds() };
  } catch (error) {
    return { outcome: 'failed', why: String(error?.stack ?? error), log: stage.log(), seconds: seconds() };
  } finally {
    await stage.clear();
  }
}

function within(limit, work) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not end within ${String(limit)} ms`)), limit);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
