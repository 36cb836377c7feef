import { readFile, writeFile } from 'node:fs/promises';
import { chart } from './chart.mjs';
import { latencyChart } from './latency.chart.mjs';
import {
  besideTable,
  cpuTable,
  databaseTable,
  latencyTable,
  processTable,
  rateTable,
  ratioTable,
  throughputTable,
} from './tables.mjs';
import { ratedIn } from './rated.mjs';
import { targetText } from './targets.mjs';

const root = new URL('../../', import.meta.url);

const runsOf = ({ runs, measured, tree, options: { rounds } }) => runs ?? [{ measured, tree, rounds }];

/** What several runs have said, each once. */
const each = (results, say) => [...new Set(runsOf(results).map(say))].join(' and ');

const treeText = (results) =>
  `Measured on ${each(results, ({ measured, tree }) => `${measured}, on the tree \`${tree}\``)}.`;

const versionText = (versions) =>
  `Node ${versions.node}, PostgreSQL ${versions.postgresql}, Nest ${versions['@nestjs/core']}, ` +
  `MikroORM ${versions['@mikro-orm/core']}, pg ${versions.pg}, Fastify ${versions.fastify}, ` +
  `TypeORM ${versions.typeorm}, @dataui/crud ${versions['@dataui/crud']}, ` +
  `nestjs-paginate ${versions['nestjs-paginate']}, Feathers ${versions['@feathersjs/feathers']}, knex ${versions.knex}.`;

const machineText = ({ machine, versions, ...results }) =>
  `${treeText(results)} ${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GiB, ${machine.system}; ` +
  `${versionText(versions)} ${extentText(results)}`;

const extentText = (results) => {
  const { records, connections, seconds, turns } = results.options;
  const rounds = each(results, (run) => run.rounds);
  return (
    `${records.toLocaleString('en')} users, ${connections} connections, ` +
    `median of ${rounds} rounds of ${seconds} s in ${turns} turns.`
  );
};

const hasRates = ({ applications: measured }) => ratedIn(measured).names.length > 0;

const rateSection = (results) =>
  hasRates(results)
    ? `![Latency of a get at fixed rates](latency.svg)\n\n${rateTable(results)}`
    : 'Not measured in this run.';

/** By page and by the name in its markers, what stands between them. */
const sections = {
  'docs/performance.md': {
    'bench:machine': machineText,
    'bench:targets': targetText,
    'bench:ratios': ratioTable,
    'bench:beside': besideTable,
    'bench:cpu': cpuTable,
    'bench:database': databaseTable,
    'bench:throughput': throughputTable,
    'bench:rates': rateSection,
    'bench:latency': latencyTable,
    'bench:processes': processTable,
  },
};

function replaceSection(page, name, content) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`no markers ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${content}\n\n${page.slice(to)}`;
}

/** Writes the figures into the pages of the repository that show them. */
export async function renewPages(results) {
  for (const [path, contents] of Object.entries(sections)) {
    const file = new URL(path, root);
    let page = await readFile(file, 'utf8');
    for (const [name, content] of Object.entries(contents))
      page = replaceSection(page, name, content(results));
    await writeFile(file, page);
  }
  await writeFile(new URL('docs/performance.svg', root), chart(results));
  if (hasRates(results)) await writeFile(new URL('docs/latency.svg', root), latencyChart(results));
}
