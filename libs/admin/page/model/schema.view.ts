import type { ApiDocument, ApiSchema } from '@nest-endpoints/client';

/**
 * The sort of values that a column has, as far as inputs and fields differ. Those of `texts` are lists of texts, those of `list`
 * lists of other single values, and `other` is any JSON.
 */
export type ValueSort =
  'text' | 'long' | 'email' | 'number' | 'boolean' | 'date' | 'time' | 'choice' | 'texts' | 'list' | 'other';

/** True for values that have a place in a list, among filters and in a sentence. */
export function isSingle(sort: ValueSort): boolean {
  return sort !== 'texts' && sort !== 'list' && sort !== 'other';
}

const prefix = '#/components/schemas/';

/** Reads schemas of a document. */
export class SchemaView {
  constructor(private readonly document: ApiDocument) {}

  /** The schema itself, where it stands behind a name or may be null beside. */
  resolved(schema: ApiSchema | undefined): ApiSchema {
    const { schemas = {} } = this.document.components ?? {};
    let found = schema ?? {};
    for (let depth = 0; depth < 16; depth += 1) {
      const name = found.$ref?.startsWith(prefix) === true ? found.$ref.slice(prefix.length) : undefined;
      const choice = (found.anyOf ?? found.oneOf)?.find(({ type }) => type !== 'null');
      if (name !== undefined) found = Object.hasOwn(schemas, name) ? (schemas[name] ?? {}) : {};
      else if (choice === undefined) return found;
      else found = choice;
    }
    return {};
  }

  /** True if null is one of the values, in the words of any OpenAPI version. */
  isNullable(schema: ApiSchema): boolean {
    const isNull = ({ type, enum: values }: ApiSchema): boolean =>
      [type].flat().includes('null') || values?.includes(null) === true;
    const choices = schema.anyOf ?? schema.oneOf ?? [];
    return isNull(schema) || choices.some(isNull) || Reflect.get(schema, 'nullable') === true;
  }

  /** The sort of values that a column of this name and schema has. */
  sortOf(name: string, given: ApiSchema | undefined): ValueSort {
    const schema = this.resolved(given);
    const { format, maxLength } = schema;
    if (schema.enum?.some((value) => value !== null) === true) return 'choice';
    const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
    if (types.length !== 1) return 'other';
    const [type] = types;
    if (type === 'array') return this.#sortOfList(name, schema);
    if (type === 'integer' || type === 'number') return 'number';
    if (type === 'boolean') return 'boolean';
    if (type !== 'string') return 'other';
    if (format === 'date') return 'date';
    if (format === 'date-time') return 'time';
    if (format === 'email') return 'email';
    const isLong = maxLength === undefined || maxLength > 300;
    return isLong && /(note|text|descri|comment|body|content|remark)/i.test(name) ? 'long' : 'text';
  }
  #sortOfList(name: string, { items }: ApiSchema): ValueSort {
    const sort = this.sortOf(name, items);
    if (!isSingle(sort)) return 'other';
    return [this.resolved(items).type].flat().includes('string') ? 'texts' : 'list';
  }
}
