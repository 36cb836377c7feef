import { cases } from '../load/cases.mjs';
import { addDeletable, tidy } from '../database/tables.mjs';

/** As many as the quickest delete in a few seconds; others run out of time before. */
const deletable = 30_000;

/** One case of one application: its figures, per request where that makes sense. */
export class Measurement {
  constructor({ client, generator, databaseCpu, options }) {
    this.client = client;
    this.generator = generator;
    this.databaseCpu = databaseCpu;
    this.options = options;
  }

  /** @throws when an answer has another status than the case's */
  async of(application, caseName, round, { warmup = this.options.warmup } = {}) {
    const { records, connections, seconds } = this.options;
    const ranges = caseName === 'delete' ? await this.#deletable() : {};
    const order = (phase) => ({
      application: application.name,
      caseName,
      port: application.port,
      world: {
        records,
        seed: round * 2 + 1,
        marker: `${round}-${application.name}-${phase}`,
        deletable: ranges[phase],
      },
    });
    const warm = await this.generator.warmUp({ ...order('warmUp'), connections, seconds: warmup });
    const before = { own: await application.cpu(), database: this.databaseCpu?.() };
    const result = await this.generator.measure({ ...order('measure'), seconds });
    const own = (await application.cpu()) - before.own;
    const database = this.databaseCpu === undefined ? null : this.databaseCpu() - before.database;
    await this.generator.close();
    for (const { statuses } of [warm, result]) checkStatuses(application.name, caseName, statuses);
    if (cases[caseName].writes) await tidy(this.client, records);
    const { requests, perSecond, p50, p99 } = result;
    return {
      cpu: own / requests,
      perSecond,
      p50,
      p99,
      databaseCpu: database === null ? null : database / requests,
    };
  }

  async #deletable() {
    const { first, last } = await addDeletable(this.client, this.options.records, deletable);
    const middle = first + deletable / 3;
    return { warmUp: { first, last: middle }, measure: { first: middle + 1, last } };
  }
}

function checkStatuses(name, caseName, statuses) {
  const expected = String(cases[caseName].status ?? 200);
  const other = Object.entries(statuses).filter(([status]) => status !== expected);
  if (other.length === 0 && expected in statuses) return;
  const found = other.map(([status, count]) => `${count} times ${status}`).join(', ') || 'no answer';
  throw new Error(`${name}, ${caseName}: ${found}, where every answer must be a ${expected}`);
}
