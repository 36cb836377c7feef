import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RootOptions } from '@nest-endpoints/core';
import { readLogin, type LoginSettings } from './login/login.settings.js';
import { StartRefusal } from './start.refusal.js';

export type HttpPlatform = 'express' | 'fastify';

/** Where the records are: PGlite in a directory of this machine, or a PostgreSQL server. */
export type DatabaseSettings =
  | { readonly kind: 'embedded'; readonly directory: string }
  | { readonly kind: 'server'; readonly url: string };

export interface AtlasSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly platform: HttpPlatform;
  readonly database: DatabaseSettings;
  readonly login: LoginSettings;
  /** What `EndpointsModule.forRoot` is told of lists. */
  readonly lists: Pick<RootOptions, 'adviseIndexes' | 'cursorSecret'>;
  /** What `EndpointsModule.forRoot` is told of the service as a whole. */
  readonly service: Pick<RootOptions, 'requestLog' | 'maximumInFlight'>;
  /** What a client of `/migrations` must know. */
  readonly migrationsSecret: string;
}

/** The same directory from `src/` and from `dist/`, whatever the working directory is. */
const defaultDirectory = fileURLToPath(new URL('../.data', import.meta.url));

/**
 * Reads HOST, PORT, HTTP_PLATFORM, DATABASE_URL, DATA_DIR, JWKS_URL, AUDIENCE, ISSUER, CURSOR_SECRET, MIGRATIONS_SECRET,
 * REQUEST_LOG, MAXIMUM_IN_FLIGHT and NODE_ENV; an empty variable counts as unset.
 * @throws {@link StartRefusal} naming the variable, its value and what is allowed.
 */
export function readSettings(environment: NodeJS.ProcessEnv): AtlasSettings {
  const directory = resolve(environment['DATA_DIR'] || defaultDirectory);
  return {
    host: environment['HOST'] || '127.0.0.1',
    port: readPort(environment['PORT'] || '3000'),
    platform: readPlatform(environment['HTTP_PLATFORM'] || 'express'),
    database: readDatabase(environment['DATABASE_URL'], directory),
    login: readLogin(environment, directory),
    lists: {
      adviseIndexes: environment['NODE_ENV'] !== 'production',
      ...(environment['CURSOR_SECRET'] ? { cursorSecret: environment['CURSOR_SECRET'] } : {}),
    },
    service: {
      requestLog: readSwitch('REQUEST_LOG', environment['REQUEST_LOG'] || 'false'),
      maximumInFlight: readCount('MAXIMUM_IN_FLIGHT', environment['MAXIMUM_IN_FLIGHT'] || '0'),
    },
    // A secret that nobody was told keeps everybody out.
    migrationsSecret: environment['MIGRATIONS_SECRET'] || randomBytes(32).toString('base64url'),
  };
}

function readDatabase(url = '', directory: string): DatabaseSettings {
  if (url === '') return { kind: 'embedded', directory };
  // The value is not repeated here: it holds a password.
  if (!/^postgres(ql)?:\/\/[^/]*\/[^/?]+/.test(url) || !URL.canParse(url)) {
    throw new StartRefusal('DATABASE_URL must look like postgresql://user:password@host:5432/database.');
  }
  return { kind: 'server', url };
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port > 65_535) throw new StartRefusal(`PORT is '${text}'; it must be a whole number from 0 to 65535.`);
  return port;
}

function readSwitch(name: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new StartRefusal(`${name} is '${text}'; it must be true or false.`);
}

function readCount(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StartRefusal(`${name} is '${text}'; it must be a whole number from 0.`);
}

function readPlatform(text: string): HttpPlatform {
  if (text === 'express' || text === 'fastify') return text;
  throw new StartRefusal(`HTTP_PLATFORM is '${text}'; it must be express or fastify.`);
}
