import 'reflect-metadata';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { shutDownOnSignals } from '@nest-endpoints/core';
import { NestFactory } from '@nestjs/core';

const adapters = {
  express: async () => new (await import('@nestjs/platform-express')).ExpressAdapter(),
  fastify: async () => {
    const { endpointsFastifyOptions } = await import('@nest-endpoints/core');
    return new (await import('@nestjs/platform-fastify')).FastifyAdapter(endpointsFastifyOptions());
  },
};

/**
 * Serves a module on a free port, and tells the drill where.
 *
 * @param moduleOf makes the module of the settings that the drill has given
 * @param prepare what `main.ts` does between create and listen
 */
export async function serve(moduleOf, prepare = () => undefined) {
  const settings = JSON.parse(process.env.DRILL_SETTINGS ?? '{}');
  const adapter = await adapters[settings.platform ?? 'express']();
  const app = await NestFactory.create(moduleOf(settings), adapter, { logger: ['fatal', 'error', 'warn'] });
  shutDownOnSignals(app);
  await prepare(app, settings);
  await app.listen(0, '127.0.0.1');
  process.on('message', async () => {
    process.send({ memory: await leastMemory() });
  });
  process.send({ url: `http://127.0.0.1:${String(app.getHttpServer().address().port)}` });
}

/**
 * The least that the process holds after each of a few garbage collections. After a single one the heap has been seen 3 MB apart
 * although nothing was kept: what is collected next, finalizers, and room that was begun and not filled.
 */
async function leastMemory() {
  const looks = [];
  for (let time = 0; time < 4; time += 1) {
    globalThis.gc?.();
    looks.push(process.memoryUsage());
    await nextTurn();
  }
  const least = (name) => Math.min(...looks.map(({ [name]: bytes }) => bytes));
  return Object.fromEntries(Object.keys(looks[0]).map((name) => [name, least(name)]));
}
