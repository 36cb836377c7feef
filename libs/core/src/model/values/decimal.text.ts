/** A number without the exponent in which JavaScript writes the very small and the very large. */
export function plainNumber(value: number): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  if (exponent === undefined) return String(value);
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(shift, '0')}`;
}

const decimal = /^-?\d+(?:\.\d+)?$/;
const withExponent = /^-?\d+(?:\.\d+)?[eE][+-]?\d+$/;

export function isDecimal(text: string): boolean {
  return decimal.test(text);
}

/**
 * Gives a number of a database without an exponent, in which SQLite writes the very large. Undefined for what has no digits: NaN and
 * the infinities.
 */
export function decimalText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? plainNumber(value) : String(value);
  if (decimal.test(text)) return text;
  return withExponent.test(text) ? decimalText(Number(text)) : undefined;
}

/** The one text of a decimal number: without zeros that say nothing, and without the sign of zero. */
export function plainDecimal(decimal: string): string {
  const text = decimal.replace(/^(-?)0+(?=\d)/, '$1');
  const short = withoutZeros(text);
  return short === '-0' ? '0' : short;
}

/** Leaves out the zeros at the end of a fraction, and a point without one. No regular expression: one looks at zeros from each of them. */
export function withoutZeros(text: string): string {
  if (!text.includes('.')) return text;
  let { length } = text;
  while (text[length - 1] === '0') length -= 1;
  if (text[length - 1] === '.') length -= 1;
  return text.slice(0, length);
}

/** True if one decimal number is below another, exactly, with any number of digits. */
export function isBelow(one: string, other: string): boolean {
  const scale = Math.max(fractionOf(one).length, fractionOf(other).length);
  return scaled(one, scale) < scaled(other, scale);
}

function fractionOf(decimal: string): string {
  return decimal.split('.')[1] ?? '';
}

function scaled(decimal: string, scale: number): bigint {
  const [whole = ''] = decimal.split('.');
  return BigInt(whole + fractionOf(decimal).padEnd(scale, '0'));
}
