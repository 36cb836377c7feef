import type { OpenApiDocument, OpenApiObject } from '@nest-endpoints/openapi';
import type { FoundOperation } from './document.operations.js';
import type { Exchange } from './exchange.js';
import { inDocumentedSpelling, lenientFormats, readText, readTexts } from './request.reading.js';
import { SchemaValidator } from './schema.validator.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  /** False for a list that stands in one text, with commas between its entries. */
  readonly explode?: boolean;
  readonly schema: OpenApiObject;
}

/** Compares requests that were accepted with the document. */
export class RequestCheck {
  readonly #validator: SchemaValidator;
  readonly #names = new Map<string, ReadonlySet<string>>();

  constructor(private readonly document: OpenApiDocument) {
    this.#validator = new SchemaValidator(document, lenientFormats);
  }

  problems(found: FoundOperation, exchange: Exchange): string[] {
    return [...this.#parameterProblems(found, exchange), ...this.#bodyProblems(found, exchange)];
  }

  #parameterProblems(
    { operation, pointer, pathParameters }: FoundOperation,
    { target, requestHeaders }: Exchange,
  ): string[] {
    const parameters = (operation['parameters'] ?? []) as readonly Parameter[];
    const lists = queryOf(target);
    const query = this.#spelt(Object.fromEntries(lists), parameters);
    const textIn: Readonly<Record<string, (name: string) => string | undefined>> = {
      path: (name) => pathParameters.get(name),
      query: (name) => query[name],
      header: (name) => requestHeaders[name.toLowerCase()]?.toString(),
    };
    const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    const isOpen = parameters.some(
      ({ in: where, schema }) => where === 'query' && schema['type'] === 'object',
    );
    const unknown = isOpen ? [] : Object.keys(query).filter((name) => !known.includes(name));
    return [
      ...unknown.map((name) => `the document has no parameter '${name}'`),
      ...parameters.flatMap(({ name, in: where, required, explode, schema }, index) => {
        const text = textIn[where]?.(name);
        if (text === undefined) return required === true ? [`the parameter '${name}' is required`] : [];
        const given = lists.getAll(name);
        // A word may be sent in another spelling than the document has.
        const texts = given.length > 0 || explode !== false ? given : [text];
        const items = explode === false ? texts.flatMap((one) => one.split(',')) : texts;
        const value = where === 'query' ? readTexts(items, text, schema) : readText(text, schema);
        const problems = this.#validator.problems(`${pointer}/parameters/${index}/schema`, value);
        return problems.map((problem) => `parameter '${name}': ${problem}`);
      }),
    ];
  }

  #spelt(query: Record<string, string>, parameters: readonly Parameter[]): Record<string, string> {
    const knows = (name: string): boolean => parameters.some((one) => one.name === name);
    return inDocumentedSpelling(query, knows) as Record<string, string>;
  }

  #namesIn(pointer: string, part: unknown): ReadonlySet<string> {
    const known = this.#names.get(pointer) ?? membersIn(part, this.document);
    this.#names.set(pointer, known);
    return known;
  }

  #bodyProblems(
    { operation, pointer }: FoundOperation,
    { method, requestBody, requestType }: Exchange,
  ): string[] {
    const documented = operation['requestBody'] as
      { readonly required?: boolean; readonly content?: object } | undefined;
    if (requestBody === undefined) return [];
    if (requestBody === '') return documented?.required === true ? ['a body is required'] : [];
    // Nothing in HTTP says what a body of GET means, so documents leave it out; lists read one all the same.
    if (documented === undefined)
      return ['GET', 'HEAD', 'DELETE'].includes(method) ? [] : ['the document has no body'];
    const { content = {} } = documented;
    const json = 'application/json';
    if (!Object.hasOwn(content, json)) {
      // It is text, of which a schema says no more.
      const mediaType = (requestType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
      return Object.hasOwn(content, mediaType) ? [] : [`the document has no body of ${mediaType}`];
    }
    const names = this.#namesIn(pointer, operation['requestBody']);
    const body = inDocumentedSpelling(JSON.parse(requestBody), (name) => names.has(name));
    const problems = this.#validator.problems(
      `${pointer}/requestBody/content/${encodeURIComponent('application~1json')}/schema`,
      body,
    );
    return problems.map((problem) => `body: ${problem}`);
  }
}

function queryOf(target: string): URLSearchParams {
  const question = target.indexOf('?');
  return new URLSearchParams(question === -1 ? '' : target.slice(question + 1));
}

/** The names of all members that the schemas in a part of a document have. */
function membersIn(part: unknown, document: OpenApiDocument, seen = new Set<unknown>()): Set<string> {
  const names = new Set<string>();
  if (typeof part !== 'object' || part === null || seen.has(part)) return names;
  seen.add(part);
  for (const [key, value] of Object.entries(part) as [string, unknown][]) {
    if (key === 'properties') for (const name of Object.keys(Object(value) as object)) names.add(name);
    const next = key === '$ref' ? schemaAt(String(value), document) : value;
    for (const name of membersIn(next, document, seen)) names.add(name);
  }
  return names;
}

function schemaAt($ref: string, { components }: OpenApiDocument): unknown {
  const { schemas = {} } = components as { readonly schemas?: OpenApiObject };
  return schemas[$ref.slice('#/components/schemas/'.length)];
}
