import { serve } from './fastify-pg.mjs';
import { statementsOf } from './statements.mjs';

export const start = (url) => serve(url, { sql: statementsOf(), hasLoops: true });
