import 'reflect-metadata';
import { shutDownOnSignals } from '@nest-endpoints/core';
import { ConsoleLogger, type LogLevel, type NestApplicationOptions } from '@nestjs/common';
import { readSettings } from './atlas.settings.js';
import { createAtlas } from './create.atlas.js';
import { listenRefusal } from './listen.refusal.js';
import { greeting } from './start.greeting.js';
import { StartRefusal } from './start.refusal.js';

/** Warnings wait until the service listens, so that they stand neither in the progress bar nor beside a refusal. */
const nestOptions: NestApplicationOptions = { bufferLogs: true, autoFlushLogs: false };

const quiet: LogLevel[] = ['fatal', 'error', 'warn'];

/** Starts the service of this process, and ends the process where it cannot start. */
export async function startAtlas(): Promise<void> {
  try {
    await start();
  } catch (error) {
    console.error(error instanceof StartRefusal ? error.message : error);
    process.exit(1);
  }
}

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const atlas = await createAtlas(settings, {
    ...nestOptions,
    // A line for each request is for a machine to read.
    logger: settings.service.requestLog ? new ConsoleLogger({ json: true }) : quiet,
  });
  shutDownOnSignals(atlas);
  try {
    await atlas.listen(settings.port, settings.host);
  } catch (error) {
    await atlas.close();
    throw listenRefusal(error, settings);
  }
  atlas.flushLogs();
  process.stdout.write(greeting(await atlas.getUrl()));
}
