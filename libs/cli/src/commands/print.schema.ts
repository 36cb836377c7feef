import type { SchemaFormat } from '@nest-endpoints/openapi';
import { UsageError } from '../command-line/usage.error.js';
import type { CommandContext } from './command.context.js';

/** The OpenAPI document of all endpoints. `@nest-endpoints/openapi` is loaded when it is asked for. */
export async function printSchema({ application, output, line }: CommandContext): Promise<boolean> {
  const { openApiDocument } = await import('@nest-endpoints/openapi').catch((error: unknown) => {
    throw new UsageError('schema needs the package @nest-endpoints/openapi.', { cause: error });
  });
  const parameters = new Map(line.parameters);
  const schemaFormat = parameters.get('schema_format') as SchemaFormat | undefined;
  const document = openApiDocument(application.app, schemaFormat === undefined ? {} : { schemaFormat });
  await output.write(`${JSON.stringify(document, null, 2)}\n`);
  return true;
}
