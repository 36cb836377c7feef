import type { JsonSchema } from '../json.schema.js';
import { ValueValidator } from '../validator.js';

/** Text of at most so many characters. A character is a Unicode code point, as databases count them. */
export class MaximumLength extends ValueValidator {
  readonly name = 'MaximumLength';
  override readonly schema: JsonSchema;

  constructor(readonly maximumLength: number) {
    super();
    this.schema = { maxLength: maximumLength };
  }

  complaint(value: unknown): string | undefined {
    const text = String(value);
    if (text.length <= this.maximumLength || characters(text) <= this.maximumLength) return undefined;
    return `value should be at most ${this.maximumLength} characters long`;
  }
}

export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
