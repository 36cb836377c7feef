import { takes, usersOf } from '../applications/list.mjs';
import { openPostgres } from '../database/postgres.records.mjs';
import { tenantUsers } from '../database/tenant.tables.mjs';
import { everyCase } from '../load/cases.mjs';
import { Generator } from '../load/generator.mjs';
import { checkAnswers } from './answers.check.mjs';
import { Application } from './application.mjs';
import { figuresOf, Measurement } from './measurement.mjs';

/** Code that has just been loaded is slow, and the more of it the longer; the first case of a process waits for it. */
const firstWarmup = 4;

/** Answers before a case counts as warm. */
const warmRequests = 600;

/** Later turns find everything warm but the connections. */
const laterWarmup = 0.1;

/**
 * Measures everything that the options name, in rounds: every application begins a round in a new process, and they
 * take turns case by case, so that what disturbs the machine disturbs them all.
 * @param open starts the database and fills it; by default a PostgreSQL
 * @returns by application: lists of `coldStart`, `memory` and, by case, figures; one entry a round
 */
export async function measureRounds(options, { onProgress, open = openPostgres }) {
  const hasTenants = options.applications.some((name) => usersOf(name) === tenantUsers);
  const database = await open({ records: options.records, hasTenants });
  const generator = new Generator();
  try {
    const run = new Run({ options, onProgress, database, generator });
    for (let round = 0; round < options.rounds; round += 1) await run.round(round);
    return { samples: run.samples, databaseVersion: await database.version() };
  } finally {
    await generator.stop();
    await database.close();
  }
}

class Run {
  /** The processes that were asked something already. */
  #warm = new WeakSet();

  constructor({ options, onProgress, database, generator }) {
    this.options = options;
    this.onProgress = onProgress;
    this.database = database;
    this.generator = generator;
    this.measurement = new Measurement({ database, generator, options });
    this.samples = Object.fromEntries(
      options.applications.map((name) => [name, { coldStart: [], memory: [], cases: {}, rates: {} }]),
    );
  }

  async round(round) {
    const { applications: names, cases: caseNames } = this.options;
    // Who goes first finds the machine in another state than who goes last.
    const turn = (round * 2) % names.length;
    const running = [];
    try {
      for (const name of names) running.push(await this.#start(name));
      if (round === 0) await this.#check(running);
      const inTurn = [...running.slice(turn), ...running.slice(0, turn)];
      for (const caseName of caseNames) await this.#measure(inTurn, caseName, round);
      for (const application of running)
        this.samples[application.name].memory.push(await application.memory());
      await this.#measureRates(inTurn, round);
    } finally {
      for (const application of running) await application.stop();
    }
  }

  async #start(name) {
    const application = await Application.start(name, this.database.url);
    this.samples[name].coldStart.push(application.coldStart);
    return application;
  }

  /** Applications take turns within a case, too: a machine that others work on changes by the second. */
  async #measure(running, caseName, round) {
    const able = running.filter(({ name }) => takes(name, caseName));
    const { seconds } = this.options;
    const turns = everyCase[caseName].isHeavy ? 1 : this.options.turns;
    const results = new Map(able.map(({ name }) => [name, []]));
    for (let turn = 0; turn < turns; turn += 1)
      for (const application of able) {
        const warmup = this.#warmup(application, turn);
        const least = turn === 0 ? warmRequests : 0;
        const times = { warmup, least, seconds: seconds / turns };
        results.get(application.name).push(await this.measurement.turn(application, caseName, times));
      }
    if (everyCase[caseName].writes) await this.#tidy();
    for (const [name, ofName] of results) {
      const figures = figuresOf(ofName);
      (this.samples[name].cases[caseName] ??= []).push(figures);
      this.onProgress({ round, application: name, caseName, figures });
    }
  }

  /** Latency at rates that every server can bear, beside that of one which is asked as much as it can answer. */
  async #measureRates(running, round) {
    const { rates } = this.options;
    if (rates === undefined) return;
    const rated = running.filter(({ name }) => rates.applications.includes(name));
    for (const rate of rates.perSecond)
      for (const application of rated) {
        const { name } = application;
        const figures = await this.measurement.steady(application, 'get', { rate, seconds: rates.seconds });
        (this.samples[name].rates[rate] ??= []).push(figures);
        this.onProgress({ round, application: name, rate, figures });
      }
  }

  #warmup(application, turn) {
    const { warmup } = this.options;
    if (turn > 0) return laterWarmup;
    if (this.#warm.has(application)) return warmup;
    this.#warm.add(application);
    return Math.max(firstWarmup, warmup);
  }

  async #check(running) {
    const { records, cases: measured, checked: caseNames = measured } = this.options;
    const next = new Map();
    for (const table of this.#tables())
      next.set(table, (await this.database.addDeletable({ table, records, count: running.length })).first);
    const deletable = (name) => {
      const first = next.get(usersOf(name));
      next.set(usersOf(name), first + 1);
      return { first, last: first };
    };
    await checkAnswers({ running, caseNames, generator: this.generator, records, deletable });
    await this.#tidy();
  }

  #tables() {
    return new Set(this.options.applications.map(usersOf));
  }

  async #tidy() {
    for (const table of this.#tables()) await this.database.tidy(table, this.options.records);
  }
}
