import { EndpointsError } from '../wire/endpoints.error.js';
import { nameLike } from '../wire/names.js';
import { idText } from './version.memory.js';
import type { RecordId } from './record.query.js';

/** Gives the names of the parameters of a path, in their order. */
export const parametersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);

/**
 * Fills in the parameters of a path.
 * @param id what the record is called by: the last parameter
 * @throws EndpointsError for a parameter without a value, and for values that would lead elsewhere
 */
export function filledPath(path: string, values: Readonly<Record<string, RecordId>>, id?: RecordId): string {
  const names = parametersOf(path);
  return path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const known = nameLike(Object.keys(values), name);
    const isLast = id !== undefined && name === names.at(-1);
    const value = isLast ? id : known === undefined ? undefined : values[known];
    if (value === undefined) throw new EndpointsError(`${path}: the value of '${name}' is missing`, 400);
    return segmentOf(path, name, idText(value));
  });
}

/** Addresses read a dot and two dots as steps, percent-encoded, too, and nothing as the list itself. */
function segmentOf(path: string, name: string, text: string): string {
  if (text === '' || text === '.' || text === '..')
    throw new EndpointsError(`${path}: '${text}' cannot be the value of '${name}' in an address`, 404);
  return encodeURIComponent(text);
}
