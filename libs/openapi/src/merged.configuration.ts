import type { OpenApiObject } from '@nest-endpoints/core/internal';

/** A document with a user's own parts merged in, at any depth; lists are replaced (decisions: Schema). */
export function merged(document: OpenApiObject, own: OpenApiObject): OpenApiObject {
  const entries = Object.entries(own).map(([key, value]): [string, unknown] => {
    const known = Object.hasOwn(document, key) ? document[key] : undefined;
    return [key, isObject(known) && isObject(value) ? merged(known, value) : value];
  });
  return Object.fromEntries([...Object.entries(document), ...entries]);
}

function isObject(value: unknown): value is OpenApiObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
