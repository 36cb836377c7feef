import type { OpenApiObject } from '@nest-endpoints/core/internal';
import type { SchemaReader } from '../request/schema.reader.js';

/** The limits that schemas name, in words. */
const limits = {
  minimum: 'from',
  maximum: 'to',
  minLength: 'at least',
  maxLength: 'at most',
} as const;

/** Describes a schema in a few words: `integer, from 0`. */
export function typeOf(schemas: SchemaReader, schema: OpenApiObject): string {
  const alternatives = schemas.alternativesOf(schema);
  const first = (word: string): unknown => alternatives.find((one) => Object.hasOwn(one, word))?.[word];
  const allowed = first('enum');
  if (Array.isArray(allowed)) return `one of ${allowed.map(textOf).join(', ')}`;
  const { enum: entries } = Object(first('items')) as { readonly enum?: unknown };
  if (Array.isArray(entries)) return `with commas between, some of ${entries.map(textOf).join(', ')}`;
  const types = new Set(alternatives.flatMap(({ type }) => (typeof type === 'string' ? [type] : [])));
  const format = first('format');
  const words = [typeof format === 'string' ? format : [...types].join(' or ') || 'any'];
  for (const [word, text] of Object.entries(limits)) {
    const limit = first(word);
    if (typeof limit !== 'number' || isOfStorage(limit)) continue;
    words.push(`${text} ${limit}${word.endsWith('Length') ? ' characters' : ''}`);
  }
  const usual = first('default');
  if (usual !== undefined) words.push(`default ${textOf(usual)}`);
  return words.join(', ');
}

/** True if a limit is only the most that a database's type can hold, which tells nobody anything. */
function isOfStorage(limit: number): boolean {
  return Math.abs(limit) >= 2 ** 31 - 1;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
