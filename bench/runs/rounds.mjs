import pg from 'pg';
import { applications } from '../applications/list.mjs';
import { postgresCpu } from '../database/postgres.cpu.mjs';
import { startPostgres } from '../database/postgres.mjs';
import { addDeletable, tables, tidy } from '../database/tables.mjs';
import { Generator } from '../load/generator.mjs';
import { checkAnswers } from './answers.check.mjs';
import { Application } from './application.mjs';
import { Measurement } from './measurement.mjs';

/** Code that has just been loaded is slow; the first case of a round waits for it. */
const firstWarmup = 2;

/**
 * Measures everything that the options name, in rounds: every application begins a round in a new process, and they
 * take turns case by case, so that what disturbs the machine disturbs them all.
 * @returns by application: lists of `coldStart`, `memory` and, by case, figures; one entry a round
 */
export async function measureRounds(options, { onProgress }) {
  const postgres = await startPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  const generator = new Generator();
  try {
    await client.connect();
    for (const statement of tables(options.records)) await client.query(statement);
    const run = new Run({ options, onProgress, postgres, client, generator });
    await run.prepare();
    for (let round = 0; round < options.rounds; round += 1) await run.round(round);
    const { rows } = await client.query('show server_version');
    return { samples: run.samples, postgresVersion: rows[0].server_version };
  } finally {
    await generator.stop();
    await client.end();
    await postgres.stop();
  }
}

class Run {
  constructor({ options, onProgress, postgres, client, generator }) {
    this.options = options;
    this.onProgress = onProgress;
    this.databaseUrl = postgres.url;
    this.client = client;
    this.generator = generator;
    this.samples = Object.fromEntries(
      options.applications.map((name) => [name, { coldStart: [], memory: [], cases: {} }]),
    );
  }

  async prepare() {
    const { client, generator, options } = this;
    this.measurement = new Measurement({
      client,
      generator,
      options,
      databaseCpu: await postgresCpu(client),
    });
  }

  async round(round) {
    const { applications: names, cases } = this.options;
    // Who goes first finds the machine in another state than who goes last.
    const turn = (round * 2) % names.length;
    const running = [];
    try {
      for (const name of names) running.push(await this.#start(name));
      if (round === 0) await this.#check(running);
      const inTurn = [...running.slice(turn), ...running.slice(0, turn)];
      for (const caseName of cases)
        for (const application of inTurn) await this.#measure(application, caseName, round);
      for (const application of running)
        this.samples[application.name].memory.push(await application.memory());
    } finally {
      for (const application of running) await application.stop();
    }
  }

  async #start(name) {
    const application = await Application.start(name, this.databaseUrl);
    this.samples[name].coldStart.push(application.coldStart);
    return application;
  }

  async #measure(application, caseName, round) {
    if (!(caseName in applications[application.name].dialect.requests)) return;
    const warmup =
      caseName === this.options.cases[0] ? Math.max(firstWarmup, this.options.warmup) : undefined;
    const figures = await this.measurement.of(application, caseName, round, { warmup });
    const { cases } = this.samples[application.name];
    (cases[caseName] ??= []).push(figures);
    this.onProgress({ round, application: application.name, caseName, figures });
  }

  async #check(running) {
    const { records, cases: caseNames } = this.options;
    let { first: next } = await addDeletable(this.client, records, running.length);
    const deletable = () => ({ first: next, last: next++ });
    await checkAnswers({ running, caseNames, generator: this.generator, records, deletable });
    await tidy(this.client, records);
  }
}
