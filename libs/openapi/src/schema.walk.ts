import type { OpenApiObject } from '@nest-endpoints/core/internal';

/** Members that hold values, not schemas. */
const data: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'required']);
/** Members whose keys are names of the user's, whatever they look like. */
const maps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'schemas', 'headers', 'paths', 'responses', 'content'],
  ...['securitySchemes', 'dependentSchemas'],
]);

/** A copy of a part of a document in which every object that is no map of names was changed, from the inside out. */
export function changed(part: unknown, change: (node: OpenApiObject) => OpenApiObject): unknown {
  if (Array.isArray(part)) return part.map((one) => changed(one, change));
  if (typeof part !== 'object' || part === null) return part;
  return change(
    membersOf(part, (key, value) => {
      if (data.has(key)) return value;
      return maps.has(key) ? eachOf(value, change) : changed(value, change);
    }),
  );
}

function eachOf(map: unknown, change: (node: OpenApiObject) => OpenApiObject): unknown {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return map;
  return membersOf(map, (_name, value) => changed(value, change));
}

function membersOf(node: object, memberOf: (key: string, value: unknown) => unknown): OpenApiObject {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, memberOf(key, value)]));
}
