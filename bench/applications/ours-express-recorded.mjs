import { ChangeRecord, recordChanges } from '@nest-endpoints/core';
import { User } from './entities.mjs';
import { startOnExpress } from './nest.start.mjs';
import { ours } from './ours.module.mjs';

export const start = (url) => {
  recordChanges(User, { keepFor: 'forever' });
  return startOnExpress(ours(url, { further: [ChangeRecord] }));
};
