import {
  ApplicationDocumentation,
  InProcessClient,
  type DocumentedRoute,
  type MountedEndpoint,
} from '@nest-endpoints/core/internal';
import type { Server } from 'node:http';
import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import type { CliOptions } from '../cli.options.js';
import { SchemaReader } from '../request/schema.reader.js';
import type { CliSource } from './application.source.js';

/** A Nest application that is ready to answer, but listens nowhere. */
export class Application {
  #endpoints: readonly MountedEndpoint[] | undefined;
  readonly client: InProcessClient;

  private constructor(readonly app: INestApplication) {
    this.client = InProcessClient.of(app.getHttpServer() as Server);
  }

  static async start(
    source: CliSource,
    options: CliOptions,
    nest: NestApplicationOptions,
  ): Promise<Application> {
    const app = await created(source, options, { ...nest, abortOnError: false });
    await app.init();
    await ready(app.getHttpAdapter() as AbstractHttpAdapter);
    return new Application(app);
  }

  /** Every endpoint that requests reach, in the order in which endpoints take them. */
  get endpoints(): readonly MountedEndpoint[] {
    return (this.#endpoints ??= this.#documentation.endpoints);
  }

  /** The operations at their paths, in the order in which endpoints take them, with what documents say of each. */
  get routes(): readonly DocumentedRoute[] {
    return this.#documentation.routes;
  }

  get schemas(): SchemaReader {
    return new SchemaReader(this.#documentation.schemas);
  }

  async close(): Promise<void> {
    await this.app.close();
  }

  get #documentation(): ApplicationDocumentation {
    return this.app.get(ApplicationDocumentation, { strict: false });
  }
}

async function created(
  source: CliSource,
  { httpAdapter, configure }: CliOptions,
  nest: NestApplicationOptions,
): Promise<INestApplication> {
  if ('createApplication' in source) return source.createApplication(nest);
  const app = await (httpAdapter === undefined
    ? NestFactory.create(source, nest)
    : NestFactory.create(source, httpAdapter, nest));
  await configure?.(app);
  return app;
}

/** Fastify loads its plugins only now; Express has nothing to wait for. */
async function ready(adapter: AbstractHttpAdapter): Promise<void> {
  const instance: { ready?: () => PromiseLike<unknown> } = adapter.getInstance();
  if (adapter.getType() === 'fastify') await instance.ready?.();
}
