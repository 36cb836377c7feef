import { everyApplication, takes } from '../applications/list.mjs';
import { columns } from '../applications/person.mjs';
import { everyCase } from '../load/cases.mjs';

/** Cases whose answers hold records to compare. Ids and times of what is written differ from one to the next. */
const written = new Set(['create', 'update', 'create100', 'update100']);
const noRecords = new Set(['missing', 'invalid', 'delete']);

/** The ten columns of everyone; some show a parent besides. */
const comparable = (record) => ({
  ...Object.fromEntries(columns.map((name) => [name, record[name]])),
  created_at: Date.parse(record.created_at),
  updated_at: Date.parse(record.updated_at),
});

const withoutTraces = ({ id: _id, email: _email, created_at: _created, updated_at: _updated, ...rest }) =>
  rest;

/** The records of an answer in one form, whatever the application wraps around them. */
function essence(dialect, caseName, json) {
  if (noRecords.has(caseName)) return {};
  const found = dialect.records(json);
  if (written.has(caseName))
    return { records: [found].flat().map((record) => withoutTraces(comparable(record))) };
  const records = [found].flat().map(comparable);
  return caseName === 'get' || caseName === 'keyset' ? { records } : { records, total: dialect.total(json) };
}

/** Applications may write into different tables, each as often as applications use it. */
const readsFirst = (caseNames) => [
  ...caseNames.filter((name) => !everyCase[name].writes),
  ...caseNames.filter((name) => everyCase[name].writes),
];

/**
 * Asks every application the same and compares what they answer: a benchmark of different answers says nothing.
 * @throws when one of them has another status, other records or another count than the first
 */
export async function checkAnswers({ running, caseNames, generator, records, deletable }) {
  for (const caseName of readsFirst(caseNames)) {
    let first;
    for (const { name, port } of running) {
      const { dialect } = everyApplication[name];
      if (!takes(name, caseName)) continue;
      const world = { records, seed: 7, marker: `check-${name}-${caseName}` };
      if (caseName === 'delete') world.deletable = deletable(name);
      const { status, json } = await generator.sample({ application: name, caseName, world, port });
      const expected = everyCase[caseName].status ?? 200;
      if (status !== expected)
        throw new Error(`${name}, ${caseName}: status ${status}, not ${expected}: ${JSON.stringify(json)}`);
      const answer = JSON.stringify(essence(dialect, caseName, json));
      first ??= { name, answer };
      if (answer !== first.answer)
        throw new Error(
          `${caseName}: ${name} answers\n${answer}\nwhere ${first.name} answers\n${first.answer}`,
        );
    }
  }
}
