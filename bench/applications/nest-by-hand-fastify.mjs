import { startOnFastify } from './nest.start.mjs';
import { byHand, validate } from './nest-by-hand.module.mjs';

export const start = (url) => startOnFastify(byHand(url), {}, validate);
