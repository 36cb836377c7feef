import { fileURLToPath } from 'node:url';

/** The SQL files that say what the tables are: the same directory from `src/` and from `dist/`. */
export const schemaDirectory = fileURLToPath(new URL('../../database', import.meta.url));
