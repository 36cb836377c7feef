// The drill `postgres-killed` with row level security: what fails while a session is entered ends no process either.
import { drill as killed } from './postgres-killed.drill.mjs';

export const drill = {
  ...killed,
  run: (stage, form) => killed.run(stage, { ...form, isSecured: true }),
};
