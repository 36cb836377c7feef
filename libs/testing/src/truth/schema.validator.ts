import type { OpenApiDocument } from '@nest-endpoints/openapi';
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import { createRequire } from 'node:module';

/** Ajv is loaded with the first validator: who issues tokens alone has no need of it. */
const require = createRequire(import.meta.url);

/** The settings of Ajv: most schemas judge a few values, so that what they are compiled to need not be the fastest. */
const settings = {
  strict: false,
  validateSchema: false,
  allErrors: true,
  logger: false,
  inlineRefs: false,
  code: { optimize: false },
} satisfies Options;

/** Judges values by the schemas of a document; each is compiled when it is first needed. */
export class SchemaValidator {
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();

  /** @param ownFormats expressions for formats, instead of the usual ones */
  constructor(document: OpenApiDocument, ownFormats: Readonly<Record<string, RegExp>> = {}) {
    const { Ajv2020: Ajv } = require('ajv/dist/2020.js') as { readonly Ajv2020: typeof Ajv2020 };
    const formats = require('ajv-formats') as { readonly default: FormatsPlugin };
    this.#ajv = new Ajv(settings);
    formats.default(this.#ajv);
    for (const [name, expression] of Object.entries(ownFormats)) this.#ajv.addFormat(name, expression);
    this.#ajv.addSchema(document, 'document');
  }

  /** Lists what is wrong with a value. @param pointer the place of the schema in the document */
  problems(pointer: string, value: unknown): string[] {
    const validate = this.#validators.get(pointer) ?? this.#ajv.compile({ $ref: `document#${pointer}` });
    this.#validators.set(pointer, validate);
    return validate(value) ? [] : (validate.errors ?? []).map(sentence);
  }
}

function sentence({ instancePath, message = 'is wrong', params }: ErrorObject): string {
  return `${instancePath === '' ? 'the value' : instancePath} ${message} ${JSON.stringify(params)}`;
}
