/** An OpenAPI document, as far as a client reads it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, ApiSchema>> };
}

/** An operation of a document. */
export interface ApiOperation {
  readonly operationId?: string;
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly content?: ApiContent };
  readonly responses?: Readonly<Record<string, ApiResponse>>;
  /** The action in one word, and the class name of the entity; left out where the endpoint works on none. */
  readonly 'x-endpoint'?: { readonly verb: string; readonly model: string };
}

/** A parameter of an operation. */
export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: ApiSchema;
}

/** A JSON Schema. */
export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: ApiSchema;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly ApiSchema[];
  readonly oneOf?: readonly ApiSchema[];
  readonly allOf?: readonly ApiSchema[];
  /** The media type that a parameter is about, where it is of no other answer: a client here is answered in JSON. */
  readonly 'x-media-type'?: string;
}

/** A response of an operation. */
interface ApiResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: ApiContent;
}

/** Bodies by media type. */
type ApiContent = Readonly<Record<string, { readonly schema?: ApiSchema }>>;
