import { schemaPath, type OpenApiObject } from '../endpoint/description/open.api.js';

/** The names of the schemas that a part of a document refers to, directly or through others. */
export function referencesOf(
  part: unknown,
  schemas: ReadonlyMap<string, OpenApiObject>,
  found = new Set<string>(),
): Set<string> {
  if (typeof part !== 'object' || part === null) return found;
  for (const [key, value] of Object.entries(part))
    if (key === '$ref' && typeof value === 'string' && value.startsWith(schemaPath)) {
      const name = value.slice(schemaPath.length);
      if (found.has(name)) continue;
      found.add(name);
      referencesOf(schemas.get(name), schemas, found);
    } else referencesOf(value, schemas, found);
  return found;
}
