import type { DecoratedProperty } from './decorated.property.js';
import type { JsonSchema } from '../model/json.schema.js';
import { ValueValidator, type ComplaintContext } from '../model/validator.js';

/** The rule of class-validator's decorators on the entity's property. */
export class Decorated extends ValueValidator {
  readonly name = 'ClassValidator';
  override readonly schema: JsonSchema;

  constructor(private readonly property: DecoratedProperty) {
    super();
    this.schema = property.schema;
  }

  complaint(value: unknown, { columnName, type }: ComplaintContext): string | undefined {
    return this.property.complaint(value, type, columnName);
  }
}
