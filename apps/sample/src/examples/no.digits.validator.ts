import { ValueValidator } from '@nest-endpoints/core';

/** Text without digits. */
export class NoDigits extends ValueValidator {
  readonly name = 'NoDigits';

  complaint(value: unknown): string | undefined {
    return /\d/.test(String(value)) ? 'value should not contain digits' : undefined;
  }
}
