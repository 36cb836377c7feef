import { checkArguments } from '../../options/checked.arguments.js';
import { wholeNumber } from '../../options/checks.js';
import { characters } from '../values/characters.js';
import { eachOf } from '../values/each.of.js';
import type { JsonSchema } from '../json.schema.js';
import { ValueValidator } from '../validator.js';

/** Text, and every text of a list, of at most so many characters. A character is a Unicode code point, as databases count them. */
export class MaximumLength extends ValueValidator {
  readonly name = 'MaximumLength';
  override readonly schema: JsonSchema;

  constructor(readonly maximumLength: number) {
    super();
    checkArguments('MaximumLength', { maximumLength: [maximumLength, wholeNumber(0)] });
    this.schema = { maxLength: maximumLength };
  }

  complaint(value: unknown): string | undefined {
    const isAllowed = eachOf(value).every((text) => isWithin(String(text), this.maximumLength));
    return isAllowed ? undefined : `value should be at most ${this.maximumLength} characters long`;
  }
}

function isWithin(text: string, maximum: number): boolean {
  return text.length <= maximum || characters(text) <= maximum;
}
