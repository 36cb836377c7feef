import type { OpenApiObject } from '@nest-endpoints/openapi';

/**
 * The spellings that the service reads and documents do not tell: one way to say a thing is enough for readers. These are
 * all of them; everything else must be as the document has it.
 */
export const lenientFormats: Readonly<Record<string, RegExp>> = {
  // ISO 8601 with an offset: without seconds, with a comma, with a short offset.
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/,
  // The e-mail state of HTML's input element.
  email:
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i,
};

/** Control words of the contract, which are read beside those in the casing of the endpoint. */
const controlWords = [
  ...['sort', 'direction', 'limit', 'start', 'after', 'where', 'column', 'operator', 'value'],
  ...['fields', 'include'],
];

/** Members whose values are words in any letter case. */
const wordMembers = ['direction', 'operator'];

/**
 * Translates what a client sent into the spelling of the document.
 * @param knows true if the document has a name
 */
export function inDocumentedSpelling(value: unknown, knows: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => inDocumentedSpelling(one, knows));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      const spelt = spelling(name, knows);
      const isWord = wordMembers.includes(name.toLowerCase()) && typeof member === 'string';
      const nested = ['sort', 'where'].includes(name.toLowerCase())
        ? inDocumentedSpelling(member, knows)
        : member;
      return [spelt, isWord ? member.toLowerCase() : nested];
    }),
  );
}

function spelling(name: string, knows: (name: string) => boolean): string {
  const titled = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return controlWords.includes(name) && !knows(name) && knows(titled) ? titled : name;
}

/** Text of a path or a query string as a value of the type that the schema names; as text where it is none. */
export function readText(text: string, { type, format }: OpenApiObject): unknown {
  // In a query string `+` is a space, and one before an offset is the plus it was meant to be.
  if (format === 'date-time') return text.replace(/(?<=:\d{2}(?:[.,]\d+)?) (?=\d{2}(?::?\d{2})?$)/, '+');
  const types = [type].flat();
  if (types.includes('integer') && /^-?\d+$/.test(text)) return Number(text);
  if (types.includes('number') && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text))
    return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/**
 * A parameter of a query string, which stands there once for each item of a list (OpenAPI: `form`, exploded).
 * @param last what it is elsewhere
 */
export function readTexts(texts: readonly string[], last: string, schema: OpenApiObject): unknown {
  const { type, anyOf = [], items = {} } = schema;
  const isList = [type].flat().includes('array');
  const list = (anyOf as readonly OpenApiObject[]).find((one) => [one['type']].flat().includes('array'));
  if (isList) return texts.map((text) => readText(text, items as OpenApiObject));
  if (list !== undefined && texts.length > 1) return readTexts(texts, last, list);
  return readText(last, schema);
}
