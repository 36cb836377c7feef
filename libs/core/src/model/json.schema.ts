/**
 * A JSON Schema (draft 2020-12) object, as far as columns, validators and generated documents speak it. Documents in an
 * older dialect are made from it.
 */
export interface JsonSchema {
  /** A reference: within the schema itself (`#/$defs/Color`), or to one that documents show once. */
  readonly $ref?: string | NamedSchema | UnknownSchema;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly default?: unknown;
  readonly title?: string;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** The media type of the answers that a parameter is about, where it is not about all of them. */
  readonly 'x-media-type'?: string;
}

/** Gives the schema, with null allowed. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema;
  const { type, anyOf, $ref } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined || $ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  const values = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  return { ...schema, type: [type, 'null'].flat(), ...values };
}

/** `{}` and nothing else. */
export const emptyObject: JsonSchema = { type: 'object', maxProperties: 0, additionalProperties: false };

/** A schema that documents show once, under a name, and refer to wherever it is used. */
export class NamedSchema {
  #made: JsonSchema | undefined;

  /**
   * @param name the name to have in documents, as long as no other schema has it
   * @param given the schema, or what makes it, for one that refers to itself
   */
  constructor(
    readonly name: string,
    private readonly given: JsonSchema | (() => JsonSchema),
  ) {}

  get schema(): JsonSchema {
    return (this.#made ??= typeof this.given === 'function' ? this.given() : this.given);
  }
}

/** Stands for a schema that could not be had. Documents allow any value there, and the log names the reason. */
export class UnknownSchema {
  constructor(readonly reason: string) {}
}
