import { checkArguments } from '../../options/checked.arguments.js';
import { finiteNumber } from '../../options/checks.js';
import { isAtMost } from '../values/number.bounds.js';
import { eachOf } from '../values/each.of.js';
import type { JsonSchema } from '../json.schema.js';
import { ValueValidator } from '../validator.js';

/** A number, and every number of a list, not above `maximum`. */
export class MaximumValue extends ValueValidator {
  readonly name = 'MaximumValue';
  override readonly schema: JsonSchema;

  constructor(readonly maximum: number) {
    super();
    checkArguments('MaximumValue', { maximum: [maximum, finiteNumber] });
    this.schema = { maximum };
  }

  complaint(value: unknown): string | undefined {
    const isAllowed = eachOf(value).every((number) => isAtMost(number, this.maximum));
    return isAllowed ? undefined : `value should be at most ${this.maximum}`;
  }
}
