import { Conflict } from '../../wire/refusals.js';
import type { FollowerKey } from './followers.js';

/** The refusal to delete a record that others still refer to. */
export class UsedRecord extends Conflict {
  /** @param key of the record; undefined for one that would go along with those that are deleted */
  constructor(readonly key: FollowerKey | undefined) {
    super('Other records still refer to this record');
  }
}
