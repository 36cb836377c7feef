import { name, names, oneOfTexts, wholeNumber } from '../options/checks.js';
import type { ChecksOf } from '../options/option.check.js';
import type { ListColumnOptions } from '../query/list.columns.js';
import { countModes, type PagingOptions } from '../query/paging.js';
import type { SearchLimits } from './where.conditions.js';

/** The checks of how lists are paged. */
export const pagingChecks = {
  defaultLimit: wholeNumber(1),
  maximumLimit: wholeNumber(0),
  pagination: oneOfTexts('offset', 'keyset'),
  count: oneOfTexts(...countModes),
} as const satisfies ChecksOf<PagingOptions>;

/** The checks of how much one search may ask for. */
export const searchLimitChecks = {
  maximumInValues: wholeNumber(1),
  maximumConditions: wholeNumber(1),
  maximumWildcards: wholeNumber(1),
} as const satisfies ChecksOf<SearchLimits>;

/** The checks of what a client may sort and search by. */
export const listColumnChecks = {
  sortableColumnNames: names,
  searchableColumnNames: names,
  defaultSortColumnName: name,
  defaultSortDirection: oneOfTexts('ASC', 'DESC', 'asc', 'desc'),
} as const satisfies ChecksOf<ListColumnOptions>;
