/**
 * An object of an OpenAPI document. Everything here is made in the dialect of OpenAPI 3.0, as `@nestjs/swagger` keeps
 * it: null is said with `nullable`. Documents of later versions are made from it.
 */
export type OpenApiObject = Readonly<Record<string, unknown>>;

/** One operation of a document: an endpoint with one of its methods. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly ParameterObject[];
  readonly requestBody?: OpenApiObject;
  readonly responses: Readonly<Record<string, OpenApiObject>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** The method of the operation at the same path that asks the same, in lower case; left out where none does. */
  readonly 'x-same-as'?: string;
  /** True for one that is not to be used any more; left out for others. */
  readonly deprecated?: true;
  /** The time from which it may stop answering, in ISO 8601. */
  readonly 'x-sunset'?: string;
  /** The action in one word, and the class name of the entity; left out where the endpoint works on none. */
  readonly 'x-endpoint'?: { readonly verb: string; readonly model: string };
}

/** A parameter of a path or a query string, or a header. */
export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: OpenApiObject;
  readonly description?: string;
  /** The way in which a list stands in a query string; left out, each entry is a parameter of its own. */
  readonly style?: 'form';
  readonly explode?: false;
}

/** The path in documents at which the schemas stand that they refer to. */
export const schemaPath = '#/components/schemas/';
