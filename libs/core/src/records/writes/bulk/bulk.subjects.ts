import { parentMissingMessage } from '../../../model/validators/parent-exists.validator.js';
import { InvalidInput } from '../../../wire/refusals.js';
import type { StoredRecord } from '../../record.store.js';
import type { Subject } from '../unit.parts.js';
import type { WriteInput, WriteRequest } from '../writes.js';
import type { BulkParts, BulkRecord } from './bulk.parts.js';
import type { PlacedTarget } from './bulk.writes.js';
import { namedTwice } from './named.twice.js';

/** The most complaints of one answer. */
const mostComplaints = 100;

/** Finds the stored records that a write of many is about. */
export class BulkSubjects<R extends WriteRequest, I extends WriteInput> {
  constructor(private readonly parts: BulkParts<R, I>) {}

  /** The records, locked and in the versions that they are to be in. @throws InvalidInput for those that are not there */
  async located(request: R, targets: readonly PlacedTarget[]): Promise<readonly Subject[]> {
    const { locator, versions } = this.parts;
    const records = await locator.locate(
      request,
      targets.map(({ value }) => value),
    );
    const missing = targets.filter((_, index) => records[index] === undefined).slice(0, mostComplaints);
    if (missing.length > 0)
      throw new InvalidInput(new Map(missing.map(({ key }) => [key, parentMissingMessage])));
    refuseTwice(targets, records);
    const subjects = records.flatMap((record) => (record === undefined ? [] : [this.of(record)]));
    const named = targets.map((target, index) => ({ ...target, id: subjects[index]?.id ?? '' }));
    await versions.checkAll(request, named);
    return subjects;
  }

  /** The records of subjects; undefined for new ones. */
  async again(
    { session }: R,
    records: readonly BulkRecord<I>[],
  ): Promise<readonly (StoredRecord | undefined)[]> {
    const { writing, idColumn } = this.parts;
    const keys = records.flatMap(({ subject }) => subject?.id ?? []);
    const stored = keys.length === 0 ? [] : await writing.locateAll(session, idColumn, keys);
    let place = 0;
    return records.map(({ subject }) => (subject === undefined ? undefined : stored[place++]));
  }

  of(record: StoredRecord): Subject {
    return { id: this.parts.writing.idOf(record), record };
  }
}

/**
 * Refuses two targets that are one record: a database may take keys for the same that differ in their letters.
 *
 * @throws InvalidInput
 */
function refuseTwice(targets: readonly PlacedTarget[], records: readonly (StoredRecord | undefined)[]): void {
  const named = new Map<StoredRecord, string>();
  const complaints = new Map<string, string>();
  for (const [index, { place, key }] of targets.entries()) {
    const record = records[index];
    const before = record && named.get(record);
    if (before !== undefined) complaints.set(key, namedTwice(before));
    else if (record !== undefined) named.set(record, place);
    if (complaints.size === mostComplaints) break;
  }
  if (complaints.size > 0) throw new InvalidInput(complaints);
}
