export { Jwks } from './jwks.js';
export type { JwksOptions } from './jwks.options.js';
export type { ClaimsContext, ClaimsFunction, ClaimsRule } from './claims.rule.js';
export type { Clock } from './clock.js';
export type { Fetch } from './keys/key.document.js';
export type { Algorithm } from './token/algorithm.table.js';
export type { ClaimsVerdict } from './token/required.claims.js';
export { SecretBearer, type SecretBearerOptions } from './secret.bearer.js';
