import { RecordValidator, type ComplaintContext, type RecordQuestions } from '../validator.js';

/** No two records have the same value in this column. */
export class Unique extends RecordValidator {
  readonly name = 'Unique';

  async complaint(
    value: unknown,
    records: RecordQuestions,
    { columnName }: ComplaintContext,
  ): Promise<string | undefined> {
    return (await records.isTaken(value)) ? uniqueMessage(columnName) : undefined;
  }
}

/** Also the answer when a constraint over several columns is violated. */
export function uniqueMessage(columnName: string): string {
  return `Invalid value for '${columnName}': the given value already exists, and must be unique.`;
}
