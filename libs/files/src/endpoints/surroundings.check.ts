import { ConfigurationError } from '@nest-endpoints/core';
import type { KindContext } from '@nest-endpoints/core/kinds';
import { FileRecord } from '../records/file.record.js';

/** @throws ConfigurationError where files cannot be kept */
export function checkSurroundings({ owner, database, pattern, root }: KindContext): void {
  const refuse = (option: string, problem: string): never => {
    throw new ConfigurationError(owner, option, problem);
  };
  const metadata = database.orm.getMetadata();
  const meta = metadata.find(FileRecord);
  // What another instance of MikroORM has in this process is found, too.
  if (meta === undefined || !metadata.getAll().has(meta.class))
    refuse('modelClass', 'add FileRecord of @nest-endpoints/files to `entities` of MikroORM, and its table');
  if (root.schemaOf !== undefined)
    refuse(
      'modelClass',
      'files are kept in one schema: tenants with schemas of their own (schemaOf) cannot have them',
    );
  if (pattern.parameterNames.length > 0)
    refuse(
      'url',
      `':${pattern.parameterNames.join(', :')}' is not allowed: urls of files know no parameters`,
    );
}
