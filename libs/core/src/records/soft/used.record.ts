import { Conflict } from '../../wire/refusals.js';

/** The refusal to delete a record that others still refer to. */
export class UsedRecord extends Conflict {
  /** @param key of the record */
  constructor(readonly key: unknown) {
    super('Other records still refer to this record');
  }
}
