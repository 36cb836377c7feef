import type { Session } from '../../../visibility/session.js';
import { Conflict } from '../../../wire/refusals.js';
import type { Mark } from '../../soft/mark.js';
import type { Relatives } from '../../soft/relatives.js';
import { UsedRecord } from '../../soft/used.record.js';
import type { BulkRecord } from './bulk.parts.js';

/** Deletes what goes along with some records. @throws Conflict of the first that others still refer to */
export async function deleteAlong<I>(
  relatives: Relatives | undefined,
  session: Session,
  records: readonly BulkRecord<I>[],
  mark: Mark,
): Promise<void> {
  const keys = records.flatMap(({ subject }) => subject?.id ?? []);
  try {
    await relatives?.delete(session, keys, mark);
  } catch (error) {
    if (!(error instanceof UsedRecord) || error.key === undefined) throw error;
    const used = String(error.key);
    const refused = records.find(({ subject }) => String(subject?.id) === used);
    if (refused?.entry === undefined) throw error;
    throw new Conflict(`${refused.entry}: ${error.message}`, { cause: error });
  }
}
