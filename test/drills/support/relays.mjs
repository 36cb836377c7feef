import { setTimeout as sleep } from 'node:timers/promises';

const entry = new URL('../applications/parcels.mjs', import.meta.url);

/** The first number of the lock that the process has which hands events on (libs/events/src/relay/relay.lease.ts). */
const lockClass = 0x4e454550;

/** Processes of the application of parcels. Each has a role of its own in the database, which tells whose a lock is. */
export class Relays {
  #processes = new Map();

  /** @param settings of applications/parcels.mjs */
  constructor(stage, postgres, settings = {}) {
    this.stage = stage;
    this.postgres = postgres;
    this.settings = settings;
  }

  async begin(count) {
    for (let one = 0; one < count; one += 1) {
      const role = `relay_${String(one)}`;
      await this.postgres.query(`create role ${role} superuser login password 'postgres'`);
      await this.#start(role);
    }
  }

  /** The process that hands events on, once there is one. */
  async holder(time = 60_000) {
    const end = performance.now() + time;
    for (;;) {
      const [row] = await this.postgres.query(`select usename from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and granted and classid = ${String(lockClass)}`);
      const process = this.#processes.get(row?.usename);
      if (process !== undefined) return { role: row.usename, process };
      if (performance.now() > end) throw new Error('No process hands events on');
      await sleep(20);
    }
  }

  /** `kill -9` of the process that hands events on, and another one in its place, which waits its turn. */
  async killHolder() {
    const { role, process } = await this.holder();
    await process.end();
    await this.#start(role);
  }

  /** SIGSTOP of the process that hands events on. @returns the milliseconds until another one does, then it goes on */
  async stopHolder() {
    const { role, process } = await this.holder();
    const since = performance.now();
    process.kill('SIGSTOP');
    let next = role;
    while (next === role) {
      await sleep(20);
      ({ role: next } = await this.holder());
    }
    const took = performance.now() - since;
    process.kill('SIGCONT');
    return took;
  }

  async end() {
    for (const process of this.#processes.values()) await process.end();
  }

  async #start(role) {
    const databaseUrl = this.postgres.url.replace('//postgres:', `//${role}:`);
    this.#processes.set(role, await this.stage.application({ entry, databaseUrl, ...this.settings }));
  }
}

/** Waits for something, looking every 20 ms. @param time in milliseconds */
export async function until(isDone, time) {
  const end = performance.now() + time;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error('It takes too long');
    await sleep(20);
  }
}
