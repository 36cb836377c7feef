import { characters } from '@nest-endpoints/core/internal';
import type { ObjectSchema } from '../tools/tool.js';

/** The schema of one argument of a tool of the registry. */
export type ArgumentSchema =
  | { readonly type: 'string'; readonly maxLength?: number; readonly description: string }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number; readonly default: number }
  | { readonly type: 'object'; readonly description: string };

/** The schema of all arguments of a tool of the registry. */
export type ArgumentsSchema = ObjectSchema & {
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
};

/** The most complaints that are told, as of a body. */
const mostComplaints = 100;

/** Gives what is wrong with the arguments of a tool of the registry, by their names; empty where nothing is. */
export function complaintsAbout(
  { properties, required = [] }: ArgumentsSchema,
  given: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  const known = new Map(Object.entries(properties));
  const allowed = [...known.keys()].join(', ');
  const complaints = new Map<string, string>();
  for (const name of required)
    if (!Object.hasOwn(given, name)) complaints.set(name, `'${name}' is required.`);
  for (const [name, value] of Object.entries(given)) {
    const schema = known.get(name);
    if (schema === undefined) complaints.set(name, `'${name}' is unknown; allowed: ${allowed}`);
    else if (!fits(schema, value)) complaints.set(name, `'${name}' must be ${wordsOf(schema)}.`);
    if (complaints.size === mostComplaints) break;
  }
  return complaints;
}

function fits(schema: ArgumentSchema, value: unknown): boolean {
  switch (schema.type) {
    case 'string':
      return (
        typeof value === 'string' && (schema.maxLength === undefined || isWithin(value, schema.maxLength))
      );
    case 'integer':
      return Number.isInteger(value) && Number(value) >= schema.minimum && Number(value) <= schema.maximum;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
}

/** True if a text has so many characters at most. None has more than two units, so that a long text is not counted. */
function isWithin(text: string, most: number): boolean {
  return text.length <= 2 * most && characters(text) <= most;
}

function wordsOf(schema: ArgumentSchema): string {
  switch (schema.type) {
    case 'string':
      return schema.maxLength === undefined
        ? 'a string'
        : `a string of at most ${schema.maxLength.toLocaleString('en-US')} characters`;
    case 'integer':
      return `a whole number from ${schema.minimum} to ${schema.maximum}`;
    case 'object':
      return 'an object';
  }
}
