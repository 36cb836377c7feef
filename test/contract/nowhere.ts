import { Backend } from '@nest-endpoints/core';

/** Records that are in no database. */
export class Nowhere extends Backend {
  find = () => Promise.resolve(undefined);
  page = () => Promise.resolve([]);
  count = () => Promise.resolve(0);
  create = () => Promise.resolve({});
  update = () => Promise.resolve();
  delete = () => Promise.resolve();
}
