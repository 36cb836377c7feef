import { readFile, writeFile } from 'node:fs/promises';
import { chart } from './chart.mjs';
import {
  cpuTable,
  databaseTable,
  latencyTable,
  processTable,
  ratioTable,
  throughputTable,
} from './tables.mjs';

const root = new URL('../../', import.meta.url);

/** The cases of the README's table: one of each sort. */
const short = ['get', 'unique', 'invalid', 'create', 'update', 'delete', 'list1k', 'search'];

const machineText = ({ machine, versions, options, measured }) =>
  `Measured on ${measured}: ${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GiB, ${machine.system}; ` +
  `Node ${versions.node}, PostgreSQL ${versions.postgresql}, Nest ${versions['@nestjs/core']}, ` +
  `MikroORM ${versions['@mikro-orm/core']}, pg ${versions.pg}, Fastify ${versions.fastify}, ` +
  `TypeORM ${versions.typeorm}, @dataui/crud ${versions['@dataui/crud']}, ` +
  `nestjs-paginate ${versions['nestjs-paginate']}, Feathers ${versions['@feathersjs/feathers']}, knex ${versions.knex}. ` +
  `${options.records.toLocaleString('en')} users, ${options.connections} connections, ` +
  `median of ${options.rounds} rounds of ${options.seconds} s in ${options.turns ?? 1} turns.`;

/** By page and by the name in its markers, what stands between them. */
const sections = {
  'README.md': {
    'bench:ratios': (results) => ratioTable(results, short),
  },
  'docs/performance.md': {
    'bench:machine': machineText,
    'bench:ratios': (results) => ratioTable(results),
    'bench:cpu': cpuTable,
    'bench:database': databaseTable,
    'bench:throughput': throughputTable,
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
}
