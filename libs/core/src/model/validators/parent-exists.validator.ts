import { RecordValidator, type RecordQuestions } from '../validator.js';

/** The record that a BelongsToId column names must exist. Every BelongsToId column has this rule. */
export class ParentExists extends RecordValidator {
  readonly name = 'ParentExists';

  async complaint(key: unknown, records: RecordQuestions): Promise<string | undefined> {
    return (await records.parentExists(key)) ? undefined : parentMissingMessage;
  }
}

/** Also said of a list of keys, one of which names no record. */
export const parentMissingMessage = 'the given record does not exist';
