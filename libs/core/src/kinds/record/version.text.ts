const time = /^(\d{4,}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:Z|([+-]\d{2})(?::?(\d{2}))?)?$/;

/**
 * Writes a version as part of an entity tag: all that the database knows of it, in characters that a tag can hold. Digits
 * of a number; a time as `20270101T103000.123456Z`. No hyphens, which set the version apart in a tag.
 */
export function versionText(value: unknown): string {
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

/** Gives the second of a time in UTC. */
function shifted(text: string): string {
  return new Date(Date.parse(text)).toISOString().slice(0, 19);
}
