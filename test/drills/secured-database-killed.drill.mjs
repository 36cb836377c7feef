// The drill `database-killed` with row level security: what fails while a session is entered ends no process either.
import { drill as killed } from './database-killed.drill.mjs';

export const drill = {
  ...killed,
  databases: ['postgresql'],
  run: (stage, form) => killed.run(stage, { ...form, isSecured: true }),
};
