import { crudModule } from './dataui-crud.module.mjs';
import { startOnExpress } from './nest.start.mjs';
import { guardTenants } from './tenant.guard.mjs';
import { hidden, ofTenants, typeOrmOptions } from './typeorm.entities.mjs';

export const start = (url) =>
  startOnExpress(
    crudModule({ ...ofTenants, options: typeOrmOptions(url, ofTenants), hidden, hasTenants: true }),
    guardTenants,
  );
