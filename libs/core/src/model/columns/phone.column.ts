import type { JsonSchema } from '../json.schema.js';
import { StringColumn } from './string.column.js';

const digits = String.raw`(?:\d|\(\d+(?:[ ./-]+\d+)*\))`;
const phoneNumber = new RegExp(String.raw`^\+?${digits}(?:[ ./-]*${digits})*$`);

/** E.164 allows 15 digits, the country code included; the shortest numbers of subscribers have 7. */
const fewest = 7;
const most = 15;

/** The pattern for documents, which allows parentheses without their other half: an expression that counts digits as well would need to look ahead. */
const written = String.raw`^\+?\(?[0-9](?:\)?[ ./-]*\(?[0-9]){${fewest - 1},${most - 1}}\)?$`;

/** A telephone number, kept as it is sent: `+31 (0)20 123 45 67`, `020-1234567`. */
export class PhoneColumn extends StringColumn {
  override readonly name: string = 'Phone';
  override readonly schema: JsonSchema = {
    type: 'string',
    pattern: String.raw`^\+?[0-9 ./()-]+$`,
    examples: ['+31 20 123 45 67'],
  };

  override get inputSchema(): JsonSchema {
    return { ...this.schema, pattern: written };
  }

  override get wordSchema(): JsonSchema {
    return this.inputSchema;
  }

  override complaint(value: unknown): string | undefined {
    return typeof value === 'string' && isPhoneNumber(value) ? undefined : 'value should be a phone number';
  }
}

function isPhoneNumber(text: string): boolean {
  const count = text.replace(/\D/g, '').length;
  return count >= fewest && count <= most && phoneNumber.test(text);
}
