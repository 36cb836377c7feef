import type { DecoratedProperty } from './decorated.property.js';
import type { JsonSchema } from '../model/json.schema.js';
import { RecordValidator, type ComplaintContext, type RecordQuestions } from '../model/validator.js';

/** {@link Decorated} where one of the decorators is asynchronous, as those are that ask a database. */
export class AsyncDecorated extends RecordValidator {
  readonly name = 'ClassValidator';
  override readonly schema: JsonSchema;

  constructor(private readonly property: DecoratedProperty) {
    super();
    this.schema = property.schema;
  }

  complaint(
    value: unknown,
    _records: RecordQuestions,
    { columnName, type }: ComplaintContext,
  ): Promise<string | undefined> {
    return this.property.asyncComplaint(value, type, columnName);
  }
}
