import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RootOptions } from '@nest-endpoints/core';
import { readLogin, type LoginSettings } from './login/login.settings.js';
import { StartRefusal } from './start.refusal.js';

export type HttpPlatform = 'express' | 'fastify';

/** Where the records are: PGlite in a directory of this machine, or a PostgreSQL server. */
export type DatabaseSettings = { readonly kind: 'embedded'; readonly directory: string } | ServerSettings;

export interface ServerSettings {
  readonly kind: 'server';
  /** Of the server, or of a pooler in front of it. */
  readonly url: string;
  /** Of the server itself, where `url` is a pooler's. */
  readonly directUrl: string | undefined;
  /** Of servers that only read. */
  readonly replicaUrls: readonly string[];
}

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
  /** The url of `/mcp` as agents know it, and the issuer of their tokens; undefined where none is known. */
  readonly agents: { readonly resource: string; readonly issuer: string | undefined };
  /** What a client of `/migrations` must know. */
  readonly migrationsSecret: string;
  /** What a client of `/cities/bulk` must know. */
  readonly bulkSecret: string;
  /** What a client must know that puts a country. */
  readonly countriesSecret: string;
}

/** The same directory from `src/` and from `dist/`, whatever the working directory is. */
export const defaultDirectory = fileURLToPath(new URL('../.data', import.meta.url));

/**
 * Reads HOST, PORT, HTTP_PLATFORM, DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URLS, DATA_DIR, JWKS_URL, AUDIENCE, ISSUER, CURSOR_SECRET, MIGRATIONS_SECRET,
 * BULK_SECRET, COUNTRIES_SECRET, PUBLIC_URL, REQUEST_LOG, MAXIMUM_IN_FLIGHT and NODE_ENV; an empty variable counts as unset.
 * @throws {@link StartRefusal} naming the variable, its value and what is allowed.
 */
export function readSettings(environment: NodeJS.ProcessEnv): AtlasSettings {
  const directory = resolve(environment['DATA_DIR'] || defaultDirectory);
  return {
    host: environment['HOST'] || '127.0.0.1',
    port: readPort(environment['PORT'] || '3000'),
    platform: readPlatform(environment['HTTP_PLATFORM'] || 'express'),
    database: readDatabase(environment, directory),
    login: readLogin(environment, directory),
    lists: {
      adviseIndexes: environment['NODE_ENV'] !== 'production',
      ...(environment['CURSOR_SECRET'] ? { cursorSecret: environment['CURSOR_SECRET'] } : {}),
    },
    service: {
      requestLog: readSwitch('REQUEST_LOG', environment['REQUEST_LOG'] || 'false'),
      maximumInFlight: readCount('MAXIMUM_IN_FLIGHT', environment['MAXIMUM_IN_FLIGHT'] || '0'),
    },
    agents: {
      resource: `${environment['PUBLIC_URL'] || `http://localhost:${environment['PORT'] || '3000'}`}/mcp`,
      issuer: environment['ISSUER'] || undefined,
    },
    // Secrets that nobody was told keep everybody out.
    migrationsSecret: environment['MIGRATIONS_SECRET'] || randomBytes(32).toString('base64url'),
    bulkSecret: environment['BULK_SECRET'] || randomBytes(32).toString('base64url'),
    countriesSecret: environment['COUNTRIES_SECRET'] || randomBytes(32).toString('base64url'),
  };
}

function readDatabase(environment: NodeJS.ProcessEnv, directory: string): DatabaseSettings {
  const url = readAddress('DATABASE_URL', environment['DATABASE_URL']);
  if (url === undefined) return { kind: 'embedded', directory };
  const replicas = environment['DATABASE_REPLICA_URLS'] || '';
  return {
    kind: 'server',
    url,
    directUrl: readAddress('DATABASE_DIRECT_URL', environment['DATABASE_DIRECT_URL']),
    replicaUrls: replicas
      .split(',')
      .flatMap((text) => readAddress('DATABASE_REPLICA_URLS', text.trim()) ?? []),
  };
}

function readAddress(name: string, url = ''): string | undefined {
  if (url === '') return undefined;
  // The value is not repeated here: it holds a password.
  if (!/^postgres(ql)?:\/\/[^/]*\/[^/?]+/.test(url) || !URL.canParse(url))
    throw new StartRefusal(`${name} must look like postgresql://user:password@host:5432/database.`);
  return url;
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
