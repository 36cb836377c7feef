import { boolean, oneOfTexts, wholeNumber } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';

/** The parts of written records that answers list. */
export type BulkShown = 'records' | 'ids';

/** Parameters of kinds that write many records. */
export interface BulkOptions {
  /** The most records of one request, from 1 to 10,000. Default 100. */
  readonly maximumRecords?: number;
  /** The things that `data` lists: records, or what they are called by. Default `records`. */
  readonly answer?: BulkShown;
}

/** Parameters of kinds that write the records which a client names. */
export interface BulkTargetOptions {
  /**
   * True if clients may name records by conditions: `where`, with the `maximum` of records that they mean to touch. Needs
   * `searchableColumnNames`. Default false.
   */
  readonly byConditions?: boolean;
  /** The columns that conditions may be about. */
  readonly searchableColumnNames?: readonly string[];
}

const mostRecords = 10_000;

/** The records of one request where nothing is said. */
export const usualRecords = 100;

export const bulkChecks = {
  maximumRecords: wholeNumber(1, mostRecords),
  answer: oneOfTexts('records', 'ids'),
} as const satisfies ChecksOf<BulkOptions>;

export const byConditionsCheck = {
  byConditions: boolean,
} as const satisfies ChecksOf<Pick<BulkTargetOptions, 'byConditions'>>;
