import { median } from '../report/median.mjs';
import { everyCase } from '../load/cases.mjs';
import { usersOf } from '../applications/list.mjs';

/** As many as the quickest deletes in a turn; the others run out of time before. */
const deletable = { warmUp: 6_000, measure: 12_000 };

/** Measures applications, one at a time. */
export class Measurement {
  #turn = 0;

  /** @param database as `openPostgres` gives it */
  constructor({ database, generator, options }) {
    this.database = database;
    this.generator = generator;
    this.databaseCpu = database.cpu;
    this.options = options;
  }

  /**
   * One turn: what a case cost one application, in all.
   * @throws when an answer has another status than the case's
   */
  async turn(application, caseName, { warmup, least, seconds }) {
    const order = await this.#orders(application, caseName);
    const { connections } = this.options;
    const warm = await this.generator.warmUp({ ...order('warmUp'), connections, seconds: warmup, least });
    const before = { own: await application.cpu(), database: this.databaseCpu?.() };
    const result = await this.generator.measure({ ...order('measure'), seconds });
    const cpu = (await application.cpu()) - before.own;
    const databaseCpu = this.databaseCpu === undefined ? null : this.databaseCpu() - before.database;
    await this.generator.close();
    for (const { statuses } of [warm, result]) checkStatuses(application.name, caseName, statuses);
    return { ...result, cpu, databaseCpu };
  }

  /**
   * Requests at a rate, each at its own time, whether earlier ones are answered or not.
   * @returns the quantiles of the times from when they were due to their answers
   * @throws when an answer has another status than the case's
   */
  async steady(application, caseName, { rate, seconds }) {
    const order = await this.#orders(application, caseName);
    const { connections } = this.options;
    await this.generator.warmUp({ ...order('warmUp'), connections, seconds: 0.3 });
    const result = await this.generator.steady({ ...order('measure'), rate, seconds });
    await this.generator.close();
    checkStatuses(application.name, caseName, result.statuses);
    const { p50, p95, p99 } = result;
    return { p50, p95, p99 };
  }

  async #orders({ name, port, ports }, caseName) {
    const { records } = this.options;
    const ranges = caseName === 'delete' ? await this.#deletable(usersOf(name)) : {};
    this.#turn += 1;
    const turn = this.#turn;
    return (phase) => ({
      application: name,
      caseName,
      port,
      ports,
      world: { records, seed: turn, marker: `${turn}-${phase}`, deletable: ranges[phase] },
    });
  }

  async #deletable(table) {
    const { warmUp, measure } = deletable;
    const { first, last } = await this.database.addDeletable({
      table,
      records: this.options.records,
      count: warmUp + measure,
    });
    return {
      warmUp: { first, last: first + warmUp - 1 },
      measure: { first: first + warmUp, last },
    };
  }
}

/** The figures of a round: what all its turns cost, per request. */
export function figuresOf(turns) {
  const sum = (key) => turns.reduce((total, turn) => total + turn[key], 0);
  const requests = sum('requests');
  return {
    cpu: sum('cpu') / requests,
    perSecond: (requests / sum('milliseconds')) * 1000,
    p50: median(turns.map(({ p50 }) => p50)),
    p95: median(turns.map(({ p95 }) => p95)),
    p99: median(turns.map(({ p99 }) => p99)),
    databaseCpu: turns.some(({ databaseCpu }) => databaseCpu === null) ? null : sum('databaseCpu') / requests,
  };
}

function checkStatuses(name, caseName, statuses) {
  const expected = String(everyCase[caseName].status ?? 200);
  const other = Object.entries(statuses).filter(([status]) => status !== expected);
  if (other.length === 0 && expected in statuses) return;
  const found = other.map(([status, count]) => `${count} times ${status}`).join(', ') || 'no answer';
  throw new Error(`${name}, ${caseName}: ${found}, where every answer must be a ${expected}`);
}
