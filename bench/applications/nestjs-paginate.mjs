import { startOnExpress } from './nest.start.mjs';
import { paginateModule, validate } from './nestjs-paginate.module.mjs';
import { open, typeOrmOptions } from './typeorm.entities.mjs';

export const start = (url) =>
  startOnExpress(paginateModule({ ...open, options: typeOrmOptions(url, open) }), validate);
