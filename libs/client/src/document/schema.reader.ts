import { envelope, hasNames, lettersOf, nameLike } from '../wire/names.js';
import type { ApiDocument, ApiOperation, ApiSchema } from './api.document.js';

const schemaPath = '#/components/schemas/';

/** Reads schemas of one document: those that refer to others are followed. */
export class SchemaReader {
  readonly #schemas: Readonly<Record<string, ApiSchema>>;

  constructor({ components }: ApiDocument) {
    this.#schemas = components?.schemas ?? {};
  }

  /** The schema itself, where it may stand behind a name. */
  resolved(schema: ApiSchema | undefined): ApiSchema {
    let found = schema ?? {};
    // A name may stand for a name; a circle of them is none of ours, but must not hang anybody.
    for (let depth = 0; found.$ref?.startsWith(schemaPath) === true && depth < 16; depth += 1) {
      const name = found.$ref.slice(schemaPath.length);
      found = Object.hasOwn(this.#schemas, name) ? (this.#schemas[name] ?? {}) : {};
    }
    return found;
  }

  /** The members of an object. */
  properties(schema: ApiSchema | undefined): Readonly<Record<string, ApiSchema>> {
    return this.resolved(schema).properties ?? {};
  }

  /** The schema of a request body of JSON. */
  body({ requestBody }: ApiOperation): ApiSchema {
    return this.resolved(jsonIn(requestBody?.content));
  }

  /** The schema of what a success answers. A service may refuse what it is sent with the status code of a success. */
  answer(operation: ApiOperation): ApiSchema {
    const answers = successesOf(operation).flatMap(({ content }) => {
      const schema = jsonIn(content);
      return schema === undefined ? [] : this.choices(schema);
    });
    const words = answers.map((answer) => this.#status(answer));
    return answers[words.indexOf('success')] ?? answers[words.indexOf(undefined)] ?? {};
  }

  /** The word that an envelope tells its outcome by; undefined for what is none. */
  #status({ properties = {} }: ApiSchema): string | undefined {
    const name = hasNames(Object.keys(properties), envelope)
      ? nameLike(Object.keys(properties), 'status')
      : undefined;
    return name === undefined ? undefined : lettersOf(String(this.resolved(properties[name]).enum?.[0]));
  }

  /** The choices of a schema, those within choices among them; the schema itself where it has none. */
  choices(schema: ApiSchema | undefined): readonly ApiSchema[] {
    const found = this.resolved(schema);
    const choices = found.anyOf ?? found.oneOf;
    return choices === undefined ? [found] : choices.flatMap((choice) => this.choices(choice));
  }
}

/** Gives the responses that have the status code of a success. */
export function successesOf({
  responses = {},
}: ApiOperation): readonly NonNullable<ApiOperation['responses']>[string][] {
  return Object.entries(responses).flatMap(([code, response]) => (code.startsWith('2') ? [response] : []));
}

/** True if the schema allows this type, maybe beside null. */
export function allowsType({ type }: ApiSchema, wanted: string): boolean {
  return typeof type === 'string' ? type === wanted : (type?.includes(wanted) ?? false);
}

type Content = NonNullable<ApiOperation['requestBody']>['content'];

function jsonIn(content: Content = {}): ApiSchema | undefined {
  return Object.entries(content).find(([mediaType]) => /[/+]json$/.test(mediaType))?.[1].schema;
}
