import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { FileColumn, LocalFiles } from '@nest-endpoints/files';
import { defaultDirectory } from '../atlas.settings.js';

/** Pictures are beside the database. Several processes share the folder and FILES_SECRET: one alone makes a secret up. */
const storage = new LocalFiles({
  directory: join(resolve(process.env['DATA_DIR'] || defaultDirectory), 'files'),
  secret: process.env['FILES_SECRET'] || randomBytes(32).toString('base64url'),
});

/** The picture on a postcard: a photograph of 5 MB at most. */
export const pictureColumn = new FileColumn({
  storage,
  maximumBytes: 5_000_000,
  types: ['image/png', 'image/jpeg', 'image/webp'],
});
