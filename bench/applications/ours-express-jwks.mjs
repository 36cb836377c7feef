import { startOnExpress } from './nest.start.mjs';
import { jwks } from './jwks.mjs';
import { ours } from './ours.module.mjs';

export const start = (url) => startOnExpress(ours(url, { authentication: jwks() }));
