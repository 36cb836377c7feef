import type { Column } from '../model/column.js';

/**
 * Gives a value in the form that a row has it. A database has checked its values; nobody has checked this one, so it must
 * be one JSON value when it is written.
 *
 * @throws TypeError for a value that is none of the column's
 */
export function plainValue(name: string, { type }: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type.storage === 'json' || type.storage === 'list') {
    const text: unknown = JSON.stringify(value);
    return text ?? 'null';
  }
  const written: unknown = parsed(type.toWire(value));
  if (written !== undefined && (typeof written !== 'object' || written === null)) return value;
  throw new TypeError(`A value of '${name}' is not of the type ${type.name}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
