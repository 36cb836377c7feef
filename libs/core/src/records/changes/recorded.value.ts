import type { Platform } from '@mikro-orm/core';
import { typeComplaint, type Column } from '../../model/column.js';

/** A value of the log: its text as the database tells it, and what it is in JSON. */
export interface RecordedValue {
  readonly text: string | null;
  readonly json: unknown;
  /** {@link json} with numbers that JavaScript has no equal of as they were read. */
  readonly exact: unknown;
}

/** The value as a row of the database has it; null where it is none of the column's type any more. */
export function recordedInRow(column: Column, value: RecordedValue, platform: Platform): unknown {
  return recordedWire(column, value, platform) === undefined ? null : inRow(column, value);
}

/**
 * The JSON text of a value of the log, as answers show the column. Undefined where it is none of the column's type: a migration
 * may have changed that since.
 */
export function recordedWire(column: Column, value: RecordedValue, platform: Platform): string | undefined {
  const wire = shownOf(column, value, platform);
  return wire !== undefined && isOfType(column, value, wire) ? wire : undefined;
}

/**
 * The JSON text of a value of the log for whoever reads the past: what is none of the column's type is told as it was recorded. A
 * type that shows values otherwise than they are may hide something, so that its text is told, or null where it has none.
 */
export function toldWire(column: Column, value: RecordedValue, platform: Platform): string {
  const wire = shownOf(column, value, platform);
  if (wire === undefined) return 'null';
  if (isOfType(column, value, wire)) return wire;
  if (wire === value.text) return JSON.stringify(value.exact);
  return parsed(wire) === undefined ? 'null' : wire;
}

/** The text that the column's type has for the value, which is no JSON where the value is none of its; undefined for none. */
function shownOf(column: Column, value: RecordedValue, platform: Platform): string | undefined {
  const { type, conversion } = column;
  if (value.text === null) return 'null';
  try {
    const stored = inRow(column, value);
    if (conversion === undefined) return type.toWire(type.isBoolean ? value.json : stored);
    const converted: unknown = conversion.convertToJSValue(stored, platform);
    return converted === null || converted === undefined ? 'null' : type.toWire(converted);
  } catch {
    return undefined;
  }
}

function inRow({ type }: Column, { text, json, exact }: RecordedValue): unknown {
  return text === null || type.storage === 'scalar' ? text : type.fromRecorded(json, exact);
}

/** A type may show values that it would not take, such as one that hides them: what was recorded counts, too. */
function isOfType(column: Column, { text, json }: RecordedValue, wire: string): boolean {
  const { type, conversion } = column;
  const shown = parsed(wire);
  if (shown === undefined) return false;
  if (text === null || conversion !== undefined || type.storage !== 'scalar') return true;
  return [shown.value, json, type.fromText(text)].some((one) => typeComplaint(column, one) === undefined);
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
