export { LiveLists } from './live.lists.js';
export type { LiveListsOptions } from './live.lists.options.js';
