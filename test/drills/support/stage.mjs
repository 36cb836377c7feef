import { databases } from './databases.mjs';
import { PgBouncer } from './pgbouncer.mjs';
import { PostgresServer } from './postgres.server.mjs';
import { startApplication } from './application.process.mjs';

/** What a drill works with. Whatever it starts is ended after it, however it went. */
export class Stage {
  #undo = [];
  #applications = [];
  #database;

  /** @param database the one that this run of the drill is about, of databases.mjs */
  constructor(database) {
    this.#database = database;
  }

  /** A server of the drill's own, of the database that this run is about. */
  async database() {
    const server = new databases[this.#database]();
    this.defer(() => server.remove());
    await server.initialise();
    await server.start();
    return server;
  }

  /** A PostgreSQL of the drill's own. @param settings of its configuration, over those of support/postgres.server.mjs */
  async postgres(settings = {}, options = {}) {
    const server = new PostgresServer(settings, options);
    this.defer(() => server.remove());
    await server.initialise();
    await server.start();
    return server;
  }

  /**
   * A primary and a standby that follows it by streaming.
   *
   * @param settings of the primary, and of the `standby` where they differ
   */
  async cluster({ standby: ofStandby = {}, ...settings } = {}) {
    const primary = new PostgresServer(settings);
    this.defer(() => primary.remove());
    await primary.initialise();
    const standby = new PostgresServer({ ...settings, ...ofStandby });
    this.defer(() => standby.remove());
    await standby.initialiseAsStandbyOf(primary);
    await primary.start();
    await standby.start();
    return { primary, standby };
  }

  /** A PgBouncer in transaction mode in front of a server. @param settings over those of support/pgbouncer.mjs */
  async pgbouncer(server, settings = {}) {
    const bouncer = new PgBouncer(server, settings);
    this.defer(() => bouncer.remove());
    await bouncer.start();
    return bouncer;
  }

  /** A service as a process of its own. @param settings reach its entry, see support/application.process.mjs */
  async application(settings) {
    const application = await startApplication(settings);
    this.#applications.push(application);
    this.defer(() => application.end());
    return application;
  }

  /** Has something undone after the drill, the last one first. */
  defer(undo) {
    this.#undo.push(undo);
  }

  /** The last lines that its applications logged. */
  log() {
    return this.#applications.flatMap(({ output }) => output().trimEnd().split('\n').slice(-8));
  }

  async clear() {
    for (const undo of this.#undo.reverse())
      await Promise.resolve()
        .then(undo)
        .catch((error) => console.error(error));
    this.#undo = [];
  }
}
