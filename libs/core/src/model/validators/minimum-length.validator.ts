import { checkArguments } from '../../options/checked.arguments.js';
import { wholeNumber } from '../../options/checks.js';
import { eachOf } from '../values/each.of.js';
import type { JsonSchema } from '../json.schema.js';
import { ValueValidator } from '../validator.js';
import { characters } from '../values/characters.js';

/** Text, and every text of a list, of at least so many characters. A character is a Unicode code point, as databases count them. */
export class MinimumLength extends ValueValidator {
  readonly name = 'MinimumLength';
  override readonly schema: JsonSchema;

  constructor(readonly minimumLength: number) {
    super();
    checkArguments('MinimumLength', { minimumLength: [minimumLength, wholeNumber(0)] });
    this.schema = { minLength: minimumLength };
  }

  complaint(value: unknown): string | undefined {
    const isAllowed = eachOf(value).every((text) => characters(String(text)) >= this.minimumLength);
    return isAllowed ? undefined : `value should be at least ${this.minimumLength} characters long`;
  }
}
