import { ColumnType } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';

const time = /^(\d{4,}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:Z|([+-]\d{2})(?::?(\d{2}))?)?$/;

/**
 * The version of a record as part of an entity tag: text that says everything the database knows of it, and nothing
 * that a tag could not hold. Made for reading alone; it is no column that a user names.
 */
export class VersionColumn extends ColumnType {
  readonly name = 'Version';
  readonly schema: JsonSchema = { type: 'string' };
  /** A driver would cut the digits of a time that JavaScript has no room for. */
  override readonly readAsText = true;

  complaint(): undefined {
    return undefined;
  }

  toWire(value: unknown): string {
    return `"${versionText(value)}"`;
  }
}

/** Digits of a number; a time as `20270101T103000.123456Z`. No hyphens, which set the version apart in a tag. */
function versionText(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value);
  if (/^-?\d+$/.test(text)) return text;
  const [, date = '', clock = '', fraction = '', hours = '+00', minutes = '00'] = time.exec(text) ?? [];
  // Nothing that counts: an `infinity`, say.
  if (date === '') return Buffer.from(text).toString('hex');
  const isUtc = hours.slice(1) === '00' && minutes === '00';
  const whole = isUtc ? `${date}T${clock}` : shifted(`${date}T${clock}${hours}:${minutes}`);
  const digits = fraction.replace(/0+$/, '');
  return `${whole.replaceAll(/[-:]/g, '')}${digits === '' ? '' : `.${digits}`}Z`;
}

/** The same second in UTC. */
function shifted(text: string): string {
  return new Date(Date.parse(text)).toISOString().slice(0, 19);
}
