import { RecordValidator, type RecordQuestions } from '../validator.js';
import { parentMissingMessage } from './parent-exists.validator.js';

/** The records that a ManyToManyIds column names must exist. Every such column has this rule. */
export class RecordsExist extends RecordValidator {
  readonly name = 'RecordsExist';

  async complaint(keys: unknown, records: RecordQuestions): Promise<string | undefined> {
    return (await records.allExist(keys as readonly unknown[])) ? undefined : parentMissingMessage;
  }
}
