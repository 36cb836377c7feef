import { crudModule } from './dataui-crud.module.mjs';
import { startOnExpress } from './nest.start.mjs';
import { open, typeOrmOptions } from './typeorm.entities.mjs';

export const start = (url) => startOnExpress(crudModule({ ...open, options: typeOrmOptions(url, open) }));
