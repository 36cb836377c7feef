import type { OpenApiObject } from '@nest-endpoints/core';
import type { SchemaReader } from '../request/schema.reader.js';

/** The limits that schemas name, in words. */
const limits = {
  minimum: 'from',
  maximum: 'to',
  minLength: 'at least',
  maxLength: 'at most',
} as const;

/** What a schema takes, in a few words: `integer, from 0`. */
export function typeOf(schemas: SchemaReader, schema: OpenApiObject): string {
  const alternatives = schemas.alternativesOf(schema);
  const types = new Set(alternatives.flatMap(({ type }) => type ?? []));
  const allowed: unknown = alternatives.find((one) => Array.isArray(one['enum']))?.['enum'];
  if (Array.isArray(allowed)) return `one of ${allowed.map((value) => String(value)).join(', ')}`;
  const format: unknown = alternatives.find((one) => typeof one['format'] === 'string')?.['format'];
  const words = [String(format ?? ([...types].join(' or ') || 'any'))];
  for (const [word, text] of Object.entries(limits)) {
    const limit: unknown = alternatives.find((one) => typeof one[word] === 'number')?.[word];
    if (limit === undefined || Math.abs(Number(limit)) >= 2 ** 31 - 1) continue;
    words.push(`${text} ${String(limit)}${word.endsWith('Length') ? ' characters' : ''}`);
  }
  const fallback: unknown = alternatives.find((one) => Object.hasOwn(one, 'default'))?.['default'];
  if (fallback !== undefined) words.push(`default ${String(fallback)}`);
  return words.join(', ');
}
