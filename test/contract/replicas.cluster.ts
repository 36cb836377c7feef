import { defineEntity, p } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import {
  AdvancedSearch,
  Callable,
  Export,
  Get,
  Import,
  List,
  NotAuthenticated,
  RestfulApi,
  type Authentication,
  type Credentials,
} from '@nest-endpoints/core';
import { randomBytes } from 'node:crypto';
import { startApplication, type Application, type ApplicationOptions } from '../support/application.js';
import type { OrmOptions } from '../support/database.js';
import type { Cluster, Server } from '../support/standby.js';

/** A record that tells which server it was read from. */
export const Letter = defineEntity({
  name: 'Letter',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string().nullable().unique(),
    text: p.string(),
    server: p.string().formula(() => `current_setting('port')`),
    begun: p.string().formula(() => 'transaction_timestamp()::text'),
  },
});

/** Believes who somebody says to be, and lets in who says nothing. */
export class Named implements Authentication {
  readonly allowedHeaders = ['X-User'];

  authenticate({ headers }: Credentials): unknown {
    const name = headers['x-user'];
    if (name === 'nobody') throw new NotAuthenticated();
    const [sub, iss = 'https://issuer.example'] = String(name).split(' of ');
    return name === undefined ? undefined : { iss, sub };
  }
}

const shown = { modelClass: Letter, readableColumnNames: ['id', 'text', 'server'] } as const;

const listed = {
  ...shown,
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id', 'text'],
  defaultSortColumnName: 'id',
} as const;

type Found = Readonly<{ server: string }> | null;

const serverOf = (found: Found) => ({ server: found?.server ?? 'none' });

const read = { connectionType: 'read' } as const;

/** Everything that may be asked of letters. */
export const letters = [
  new AdvancedSearch({ ...listed, url: 'letters/search' }),
  new List({ ...listed, url: 'letters/mapped', outputMap: ({ entity }) => serverOf(entity) }),
  new Get({ ...shown, url: 'letters/mapped/:id', outputMap: ({ entity }) => serverOf(entity) }),
  new List({
    ...listed,
    url: 'letters/marked',
    where: [
      async ({ em }) => {
        em.create(Letter, { text: 'marked' });
        await em.flush();
        return {};
      },
    ],
  }),
  new Export({
    modelClass: Letter,
    readableColumnNames: ['id', 'server', 'begun'],
    url: 'letters/export',
    snapshot: true,
  }),
  new Import({ modelClass: Letter, url: 'letters/import', writeableColumnNames: ['text'] }),
  new Callable({
    url: 'letters/found',
    toCall: async ({ em }) => serverOf(await em.findOne(Letter, { id: { $gt: 0 } })),
  }),
  new Callable({
    url: 'letters/found-there',
    toCall: async ({ em }) => serverOf(await em.findOne(Letter, { id: { $gt: 0 } }, read)),
  }),
  new Callable({
    url: 'letters/sent',
    requestMethods: ['POST'],
    toCall: async ({ em }) => {
      const { id } = await send(em);
      return serverOf(await em.fork().findOne(Letter, { id }));
    },
  }),
  new RestfulApi({ ...listed, url: 'letters', writeableColumnNames: ['code', 'text'] }),
];

const send = async (em: SqlEntityManager) => {
  const letter = em.create(Letter, { text: 'sent' });
  await em.flush();
  return letter;
};

/** Both ways to PostgreSQL. */
export const ways = ['direct', 'mikro-orm'] as const;

const ormOf = {
  direct: {},
  'mikro-orm': { onReserveConnection: () => Promise.resolve() },
} satisfies Record<(typeof ways)[number], OrmOptions>;

interface Options extends Partial<ApplicationOptions> {
  readonly way?: (typeof ways)[number];
  /** Where the replicas are; default all standbys. */
  readonly replicas?: readonly string[];
  /** The time limits of the database in milliseconds; a test about them sets short ones. */
  readonly limit?: number;
}

/** Starts an application on a database of its own in the cluster. */
export const startOn = async (
  { primary, standbys }: Cluster,
  {
    way = 'direct',
    replicas = standbys.map(({ url }) => url),
    limit = 10_000,
    orm,
    root,
    ...options
  }: Options = {},
): Promise<Application> => {
  const name = `letters_${randomBytes(6).toString('hex')}`;
  await primary.execute(`create database ${name}`);
  const at = (url: string) => ({ clientUrl: Object.assign(new URL(url), { pathname: name }).href });
  return startApplication('express', 'postgresql', {
    entities: [Letter],
    endpoints: letters,
    ...options,
    root: { authentication: new Named(), ...root },
    orm: {
      ...ormOf[way],
      ...at(primary.url),
      ...(replicas.length === 0 ? {} : { replicas: replicas.map(at) }),
      driverOptions: { connectionTimeoutMillis: limit, statement_timeout: limit },
      ...orm,
    },
  });
};

/** What a record says of the server it was read from. */
export const portOf = ({ url }: Pick<Server, 'url'>): string => new URL(url).port;

/** Stores a letter past the endpoints, so that nobody is known to have written it. The key of it. */
export const stored = async ({ em }: Application, text = 'stored'): Promise<number> =>
  em().insert(Letter, { text });
