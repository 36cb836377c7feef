import { KeyServer, TokenIssuer } from '@nest-endpoints/testing';
import { PostgresServer } from '../drills/support/postgres.server.mjs';
import { buildImage } from './image.mjs';
import { ServiceProcess } from './service.process.mjs';

/** Stands for `docker compose up`: a PostgreSQL server, keys of an identity provider, and what the image runs. */
export class Container {
  #issuer;
  #keys;
  #database;

  /** @param {{ context: string, place: string, env: NodeJS.ProcessEnv }} options */
  constructor(options) {
    this.options = options;
  }

  /** @param {number} port the one that is published */
  async start(port) {
    const { context, place, env } = this.options;
    this.#issuer = await TokenIssuer.create({ audience: 'helpdesk' });
    this.#keys = await KeyServer.start(this.#issuer);
    this.#database = new PostgresServer({});
    await this.#database.initialise();
    await this.#database.start();
    const image = await buildImage(context, place, env);
    const ownSettings = {
      DATABASE_URL: this.#database.url,
      JWKS_URL: this.#keys.url,
      AUDIENCE: 'helpdesk',
      HOST: '127.0.0.1',
      PORT: String(port),
    };
    return new ServiceProcess(image.command, {
      cwd: image.directory,
      env: { PATH: env.PATH, ...image.env, ...ownSettings },
    });
  }

  /** A token of its identity provider is believed, and a record reaches its database. @param {number} port */
  async serve(port) {
    const url = `http://127.0.0.1:${port}/teams`;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Printers' });
    const stranger = await fetch(url, { method: 'POST', headers, body });
    const authorization = `Bearer ${await this.#issuer.token({ sub: 'ann', tenant: 'acme' })}`;
    const ann = await fetch(url, { method: 'POST', headers: { ...headers, authorization }, body });
    const [row] = await this.#database.query('select tenant, name from team');
    const told = JSON.stringify([stranger.status, ann.status, row]);
    if (told !== '[401,201,{"tenant":"acme","name":"Printers"}]')
      throw new Error(`The container gives ${told}`);
  }

  async close() {
    await this.#keys?.close();
    await this.#database?.remove();
  }
}
