import { serve } from './feathers.mjs';
import { rememberedTokens } from './remembered.tokens.mjs';
import { ofTenant } from './statements.mjs';

export const start = (url) =>
  serve(url, { users: ofTenant.users, staff: ofTenant.staff, tenantOf: rememberedTokens() });
