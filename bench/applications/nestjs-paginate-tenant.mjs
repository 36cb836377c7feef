import { startOnExpress } from './nest.start.mjs';
import { paginateModule, validate } from './nestjs-paginate.module.mjs';
import { guardTenants } from './tenant.guard.mjs';
import { ofTenants, typeOrmOptions } from './typeorm.entities.mjs';

export const start = (url) =>
  startOnExpress(paginateModule({ ...ofTenants, options: typeOrmOptions(url, ofTenants) }), (app) => {
    validate(app);
    guardTenants(app);
  });
