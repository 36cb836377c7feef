import type { Column } from './column.js';
import { ofMarks } from './soft/soft.entity.js';
import { orNull, UnknownSchema, type JsonSchema } from './json.schema.js';

/** Keywords that say how large a value is. Records that were stored past the service may break such rules. */
const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;

/** Keywords about strings and numbers: of a column that holds a list they are about its items. */
const itemKeywords: readonly string[] = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'enum'],
];

/** Text that is more than white space. */
const notBlank: JsonSchema = { minLength: 1, pattern: '\\S' };

/** The types that a keyword is about. It says nothing about a value of another type, so it is left out there. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  exclusiveMinimum: ['integer', 'number'],
  exclusiveMaximum: ['integer', 'number'],
  multipleOf: ['integer', 'number'],
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
};

/** Makes the schema of the values that a client reads in a column of a record. */
export function columnSchema(column: Column, isNullable = column.nullable): JsonSchema {
  return knownOf(column, () => {
    const value = described(column, unbounded(column.type.schema));
    const schema = isNullable ? orNull(value) : value;
    return column.readOnlyBecause === ofMarks ? { ...schema, readOnly: true } : schema;
  });
}

/** Makes the schema of the values that the rules of a column let a client write. */
export function writtenSchema(column: Column, forcesText: boolean): JsonSchema {
  const { type, validators } = column;
  return knownOf(column, () => {
    const keywords = validators.map(({ schema }) => schema);
    const ruled = keywords.reduce(withKeywords, filledSchema(column, type.inputSchema));
    const schema = forcesText && type.forcesText ? { anyOf: [ruled, type.textSchema] } : ruled;
    return described(column, column.nullable && !refusesEmpty(column) ? orNull(schema) : schema);
  });
}

/** Makes the schema of the text that a client can send for the column, in a path or a query string. */
export function textualSchema(column: Column): JsonSchema {
  return knownOf(column, () => column.type.wordSchema);
}

/** Makes the schemas of path parameters that are written to columns, whose rules hold. */
export function givenSchemas(columns: Iterable<Column>): Record<string, JsonSchema> {
  return Object.fromEntries(Array.from(columns, (column) => [column.name, givenSchema(column)]));
}

function givenSchema(column: Column): JsonSchema {
  return knownOf(column, () => {
    const keywords = column.validators.map(({ schema }) => schema);
    return keywords.reduce(withKeywords, filledSchema(column, column.type.wordSchema));
  });
}

/** Makes the schema of the search term that a client can send in a body. */
export function termSchema(column: Column, forcesText: boolean): JsonSchema {
  return knownOf(column, () => {
    const { inputSchema, textSchema, forcesText: isForced } = column.type;
    return forcesText && isForced ? { anyOf: [inputSchema, textSchema] } : inputSchema;
  });
}

/** True if a record must have a value in the column. */
export function refusesEmpty({ name, type, validators }: Column): boolean {
  return validators.some(
    (validator) =>
      validator.needs === 'emptiness' &&
      validator.complaintAboutEmpty({ columnName: name, type }) !== undefined,
  );
}

/** Any JSON but null and blank text, which say that a value is missing. */
const filledJson: JsonSchema = {
  anyOf: [
    { type: 'object' },
    { type: 'array', items: {} },
    { type: 'string', ...notBlank },
    { type: 'number' },
    { type: 'boolean' },
  ],
};

/** The schema without what a column refuses as empty, where it says nothing else that does. */
function filledSchema(column: Column, schema: JsonSchema): JsonSchema {
  if (!refusesEmpty(column)) return schema;
  if (Object.keys(schema).length === 0) return filledJson;
  return isPlainText(schema) ? { ...schema, ...notBlank } : schema;
}

function isPlainText({ type, format, pattern, enum: values }: JsonSchema): boolean {
  return type === 'string' && [format, pattern, values].every((keyword) => keyword === undefined);
}

/** Types and validators may be the user's own: one whose schema fails must not take the document with it. */
function knownOf({ name }: Column, schemaOf: () => JsonSchema): JsonSchema {
  try {
    return schemaOf();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { $ref: new UnknownSchema(`column '${name}': ${reason}`) };
  }
}

/** Adds the comment of the entity's property as the description, and what is said of a column that is deprecated. */
function described({ property: { comment = '' }, deprecated }: Column, schema: JsonSchema): JsonSchema {
  const reason = typeof deprecated === 'string' ? deprecated : '';
  const texts = [comment, reason].filter((one) => one !== '');
  return {
    ...schema,
    ...(texts.length === 0 ? {} : { description: texts.join(' ') }),
    ...(deprecated === false ? {} : { deprecated: true }),
  };
}

function unbounded(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !bounds.some((bound) => bound === keyword));
  const { items } = schema;
  return { ...Object.fromEntries(kept), ...(items === undefined ? {} : { items: unbounded(items) }) };
}

/** A schema with a rule's keywords, each where it means something. */
function withKeywords(schema: JsonSchema, keywords: JsonSchema): JsonSchema {
  const entries = Object.entries(keywords);
  if (entries.length === 0) return schema;
  if (schema.anyOf !== undefined)
    return { ...schema, anyOf: schema.anyOf.map((choice) => withKeywords(choice, keywords)) };
  if (schema.type === 'array' && schema.items !== undefined) {
    const about = (isItem: boolean): JsonSchema =>
      Object.fromEntries(entries.filter(([keyword]) => itemKeywords.includes(keyword) === isItem));
    return { ...schema, ...about(false), items: withKeywords(schema.items, about(true)) };
  }
  return narrowest({ ...schema, ...Object.fromEntries(entries.filter((entry) => concerns(schema, entry))) });
}

/** Leaves out of two bounds on one side the wider one, which says nothing. */
function narrowest(schema: JsonSchema): JsonSchema {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  const wider: string[] = [];
  if (minimum !== undefined && exclusiveMinimum !== undefined)
    wider.push(exclusiveMinimum >= minimum ? 'minimum' : 'exclusiveMinimum');
  if (maximum !== undefined && exclusiveMaximum !== undefined)
    wider.push(exclusiveMaximum <= maximum ? 'maximum' : 'exclusiveMaximum');
  if (wider.length === 0) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !wider.includes(keyword)));
}

/** The narrower of two bounds holds. */
function concerns(schema: JsonSchema, [keyword, value]: [string, unknown]): boolean {
  const known: unknown = Reflect.get(schema, keyword);
  if (typeof known === 'number' && typeof value === 'number')
    return keyword.startsWith('min') || keyword === 'exclusiveMinimum' ? value > known : value < known;
  const subject = Object.hasOwn(subjects, keyword) ? subjects[keyword] : undefined;
  if (schema.enum !== undefined && subject !== undefined) return false;
  return subject === undefined || [schema.type ?? []].flat().some((type) => subject.includes(type));
}
