import type { INestApplication } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';

/** Options of `runCli`. */
export interface CliOptions {
  /** The name of the program in help texts, e.g. `npm run cli --`. Default `nest-endpoints`. */
  readonly name?: string;
  /** The platform for a root module. Default: Nest's own choice, Express. */
  readonly httpAdapter?: AbstractHttpAdapter;
  /**
   * Does what `main.ts` does between create and listen, such as a global prefix, for a root module. A promise is awaited;
   * any other result is ignored.
   */
  readonly configure?: (app: INestApplication) => unknown;
}
