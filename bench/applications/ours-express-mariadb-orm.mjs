import { onMariaDb } from './ours-express-mariadb.mjs';

/** Everything through MikroORM. */
export const start = (url) => onMariaDb(url, { statements: 'mikro-orm' });
