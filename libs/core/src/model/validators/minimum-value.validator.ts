import type { JsonSchema } from '../json.schema.js';
import { ValueValidator } from '../validator.js';

/** A number not below `minimum`. */
export class MinimumValue extends ValueValidator {
  readonly name = 'MinimumValue';
  override readonly schema: JsonSchema;

  constructor(readonly minimum: number) {
    super();
    this.schema = { minimum };
  }

  complaint(value: unknown): string | undefined {
    return Number(value) >= this.minimum ? undefined : `value should be at least ${this.minimum}`;
  }
}
