import { checkArguments } from '../../options/checked.arguments.js';
import { finiteNumber } from '../../options/checks.js';
import { isAtLeast } from '../values/number.bounds.js';
import { eachOf } from '../values/each.of.js';
import type { JsonSchema } from '../json.schema.js';
import { ValueValidator } from '../validator.js';

/** A number, and every number of a list, not below `minimum`. */
export class MinimumValue extends ValueValidator {
  readonly name = 'MinimumValue';
  override readonly schema: JsonSchema;

  constructor(readonly minimum: number) {
    super();
    checkArguments('MinimumValue', { minimum: [minimum, finiteNumber] });
    this.schema = { minimum };
  }

  complaint(value: unknown): string | undefined {
    const isAllowed = eachOf(value).every((number) => isAtLeast(number, this.minimum));
    return isAllowed ? undefined : `value should be at least ${this.minimum}`;
  }
}
