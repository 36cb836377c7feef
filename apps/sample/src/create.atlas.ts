import { endpointsFastifyOptions, setServerLimits } from '@nest-endpoints/core';
import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { readSettings, type AtlasSettings, type HttpPlatform } from './atlas.settings.js';
import { openDatabase } from './database/database.opener.js';
import { openLogin } from './login/login.opener.js';
import { AtlasMetrics } from './metrics/atlas.metrics.js';

/**
 * Builds the service, not yet listening; `listen()` or `init()` sets up the database first.
 * @param settings From the environment when left out: `createAtlas(readSettings({ DATA_DIR: '/tmp/atlas' }))`.
 * @param options Nest's own, such as `logger`.
 * @throws StartRefusal when another process has the embedded database open.
 */
export async function createAtlas(
  settings: AtlasSettings = readSettings(process.env),
  options: NestApplicationOptions = {},
): Promise<INestApplication> {
  const database = await openDatabase(settings.database);
  try {
    const metrics = new AtlasMetrics();
    const login = await openLogin(settings.login, metrics.fetchKeys);
    const module = AppModule.forRoot(database, login, metrics, settings);
    const atlas = await NestFactory.create(module, await httpAdapters[settings.platform](), {
      ...options,
      abortOnError: false,
    });
    setServerLimits(atlas);
    return atlas;
  } catch (error) {
    database.release();
    throw error;
  }
}

/** Loaded when asked for: a service carries one platform. */
const httpAdapters = {
  express: async () => {
    const adapter = new (await import('@nestjs/platform-express')).ExpressAdapter();
    // What a service is made of is nobody's business.
    adapter.disable('x-powered-by');
    return adapter;
  },
  fastify: async () =>
    new (await import('@nestjs/platform-fastify')).FastifyAdapter(endpointsFastifyOptions()),
} satisfies Record<HttpPlatform, () => Promise<AbstractHttpAdapter>>;
