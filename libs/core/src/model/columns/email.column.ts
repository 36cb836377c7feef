import type { JsonSchema } from '../json.schema.js';
import { StringColumn } from './string.column.js';

// The e-mail state of HTML's input element, with RFC 5321's lengths: 64 octets before the @, 254 in all.
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const emailAddress = new RegExp(`^[\\w.!#$%&'*+/=?^\`{|}~-]{1,64}@${label}(?:\\.${label})*$`, 'i');

/** An e-mail address. */
export class EmailColumn extends StringColumn {
  override readonly name: string = 'Email';
  override readonly schema: JsonSchema = { type: 'string', format: 'email' };

  override complaint(value: unknown): string | undefined {
    const isAddress = typeof value === 'string' && value.length <= 254 && emailAddress.test(value);
    return isAddress ? undefined : 'value should be an email address';
  }
}
