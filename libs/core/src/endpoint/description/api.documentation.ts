import type { HttpMethod } from '../http.method.js';
import type { DocumentedOperation, OpenApiObject } from './open.api.js';

/** An operation at the path where clients reach it. */
export interface DocumentedRoute {
  /** With the global prefix and the version, as OpenAPI writes it: `/v1/cities/{id}`. */
  readonly path: string;
  readonly method: HttpMethod;
  readonly operation: DocumentedOperation;
  /** The groups around the endpoint, from the outermost in. */
  readonly groups: readonly object[];
}

/** An endpoint with one of its methods, at the path where requests reach it. */
export interface MountedEndpoint {
  /** With the global prefix and the version, as OpenAPI writes it: `/v1/cities/{id}`. */
  readonly path: string;
  readonly method: HttpMethod;
  /** The endpoint's kind, e.g. `Create`. */
  readonly kind: string;
  /** The class name of its entity; undefined where it works on none. */
  readonly modelName: string | undefined;
  /** The class of its authentication; undefined where it is public. */
  readonly authentication: string | undefined;
  /** The endpoint's own `description`. */
  readonly description: string | undefined;
  /** The operation: what the endpoint takes and gives; undefined where documents leave it out. */
  readonly operation: DocumentedOperation | undefined;
}

/**
 * The material of generated documents. Nothing of it is made before somebody asks, and then it is made once. Ask when
 * requests come, or in {@link whenReady}, because the paths are not known before.
 */
export interface ApiDocumentation {
  /** The operations of the whole application, in the order in which endpoints take requests. */
  readonly routes: readonly DocumentedRoute[];
  /** Every endpoint that requests reach, in the order in which endpoints take them; also what documents leave out. */
  readonly endpoints: readonly MountedEndpoint[];
  /** Every schema that operations refer to, by its name. */
  readonly schemas: ReadonlyMap<string, OpenApiObject>;
  /** Every security scheme that operations refer to, by its name. */
  readonly securitySchemes: ReadonlyMap<string, OpenApiObject>;
  /** The names that authentications gave these schemes, by their names here: two of one name are told apart here. */
  readonly securityNames: ReadonlyMap<string, string>;
  /** The names of the schemas that a part of a document refers to, directly or through others. */
  schemasIn(part: unknown): ReadonlySet<string>;
  /** Calls a function when the application is about to listen; the log then warns of what cannot be documented. */
  whenReady(make: () => void): void;
}
