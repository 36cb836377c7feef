import { serve } from './fastify-pg.mjs';
import { rememberedTokens } from './remembered.tokens.mjs';
import { ofTenant, statementsOf } from './statements.mjs';

export const start = (url) => serve(url, { sql: statementsOf(ofTenant), tenantOf: rememberedTokens() });
