import { startOnExpress } from './nest.start.mjs';
import { byHand, validate } from './nest-by-hand.module.mjs';

export const start = (url) => startOnExpress(byHand(url), validate);
