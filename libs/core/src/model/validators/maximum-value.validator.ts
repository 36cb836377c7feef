import type { JsonSchema } from '../json.schema.js';
import { ValueValidator } from '../validator.js';

/** A number not above `maximum`. */
export class MaximumValue extends ValueValidator {
  readonly name = 'MaximumValue';
  override readonly schema: JsonSchema;

  constructor(readonly maximum: number) {
    super();
    this.schema = { maximum };
  }

  complaint(value: unknown): string | undefined {
    return Number(value) <= this.maximum ? undefined : `value should be at most ${this.maximum}`;
  }
}
