import type { RecordsView } from '../../model/soft/records.view.js';
import { oneOfTexts } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';

/** Parameters of kinds that read records which may be deleted by a mark. */
export interface RecordsOptions {
  /** The records that there are for the endpoint, of an entity with `softDelete`. No client can say it. Default `live`. */
  readonly records?: RecordsView;
}

export const recordsChecks = {
  records: oneOfTexts('live', 'deleted', 'all'),
} as const satisfies ChecksOf<RecordsOptions>;
