import { NamedSchema, type JsonSchema } from '../json.schema.js';

const texts: Readonly<Record<string, string>> = {
  uuid: '0191f3a8-5c1e-7a30-9d0f-3d0c2f6b8a11',
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00+00:00',
  email: 'ada@example.org',
  uri: 'https://example.org/',
  url: 'https://example.org/',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

/** Texts that simple patterns are about. */
const guesses = [
  'text',
  'Text',
  'TEXT',
  'ab',
  'AB',
  'abc',
  'ABC',
  'a',
  'A',
  '1',
  '12',
  '123',
  '1234',
  '12345',
  '1.50',
  '+4930123456',
];

const deepest = 8;

/** A value that a schema allows, for examples in documents; undefined where none can be thought of. */
export function sampleOf(schema: JsonSchema, depth = 0): unknown {
  if (depth > deepest) return undefined;
  const { $ref, examples, default: usual, const: only, enum: allowed, anyOf, oneOf, allOf } = schema;
  if ($ref instanceof NamedSchema) return sampleOf($ref.schema, depth + 1);
  if ($ref !== undefined || allOf !== undefined) return undefined;
  const known = [examples?.[0], usual, only, allowed?.[0]].find((value) => value !== undefined);
  if (known !== undefined) return known;
  const choice = anyOf ?? oneOf;
  if (choice !== undefined) return firstOf(choice, depth);
  const type = [schema.type ?? 'object'].flat()[0] ?? 'object';
  return Object.hasOwn(samples, type) ? samples[type]?.(schema, depth) : null;
}

const samples: Readonly<Record<string, (schema: JsonSchema, depth: number) => unknown>> = {
  string: sampleText,
  integer: sampleNumber,
  number: sampleNumber,
  boolean: () => true,
  array: sampleList,
  object: sampleObject,
};

function firstOf(choices: readonly JsonSchema[], depth: number): unknown {
  for (const choice of choices) {
    const sample = sampleOf(choice, depth + 1);
    if (sample !== undefined) return sample;
  }
  return undefined;
}

function sampleText({
  format,
  pattern,
  minLength = 0,
  maxLength = Infinity,
}: JsonSchema): string | undefined {
  if (format !== undefined && Object.hasOwn(texts, format)) return texts[format];
  const guess = (text: string): string => text.padEnd(minLength, text).slice(0, maxLength);
  if (pattern === undefined) return guess('text');
  const expression = expressionOf(pattern);
  return guesses.map(guess).find((text) => expression?.test(text) === true);
}

/** Undefined for what is no expression; the catalogue warns of it. */
function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

function sampleNumber(schema: JsonSchema): number | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 } = schema;
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const greatest = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const isAllowed = (value: number): boolean =>
    value >= least && value <= greatest && value !== exclusiveMinimum && value !== exclusiveMaximum;
  const steps = Math.ceil(Math.max(least, -1e9) / multipleOf);
  const candidates = [1, 0, multipleOf, steps * multipleOf, (steps + 1) * multipleOf, least, greatest];
  return candidates.find((value) => isAllowed(value) && Number.isInteger(value / multipleOf));
}

function sampleList({ items = {}, minItems = 0, maxItems, uniqueItems }: JsonSchema, depth: number): unknown {
  if (maxItems === 0) return [];
  const sample = sampleOf(items, depth + 1);
  if (sample === undefined) return minItems === 0 ? [] : undefined;
  if (uniqueItems === true && minItems > 1) return undefined;
  return Array.from({ length: Math.max(1, minItems) }, () => sample);
}

function sampleObject({ properties = {}, required = [] }: JsonSchema, depth: number): unknown {
  const samples = Object.entries(properties).map(
    ([name, schema]) => [name, sampleOf(schema, depth + 1)] as const,
  );
  const missing = required.some((name) =>
    samples.some(([key, sample]) => key === name && sample === undefined),
  );
  if (missing) return undefined;
  return Object.fromEntries(samples.filter(([, sample]) => sample !== undefined));
}
