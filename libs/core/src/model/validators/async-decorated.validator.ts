import type { DecoratedProperty } from '../metadata/decorated.property.js';
import { RecordValidator, type ComplaintContext, type RecordQuestions } from '../validator.js';

/** {@link Decorated} where one of the decorators is asynchronous, as those are that ask a database. */
export class AsyncDecorated extends RecordValidator {
  readonly name = 'ClassValidator';

  constructor(private readonly property: DecoratedProperty) {
    super();
  }

  complaint(
    value: unknown,
    _records: RecordQuestions,
    { columnName, type }: ComplaintContext,
  ): Promise<string | undefined> {
    return this.property.asyncComplaint(value, type, columnName);
  }
}
