import type { DynamicModule, INestApplication, NestApplicationOptions, Type } from '@nestjs/common';

/**
 * Makes the application itself, as `main.ts` does, but without `listen`.
 * @param options what the command line needs: pass them on to `NestFactory.create`
 */
export type ApplicationFactory = (
  options: NestApplicationOptions,
) => INestApplication | Promise<INestApplication>;

/** The source of a command line's application: its root module, or a function that makes it. */
export type CliSource = Type | DynamicModule | { readonly createApplication: ApplicationFactory };
