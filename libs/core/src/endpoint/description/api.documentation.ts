import type { Operation } from '../../access/operation.access.js';
import type { HttpMethod } from '../http.method.js';
import type { EndpointOptions } from '../options/endpoint.options.js';
import type { DocumentedOperation, OpenApiObject } from './open.api.js';

/** The endpoint of an operation, as far as others than documents ask about it. */
export interface RoutedEndpoint {
  readonly kind: string;
  readonly operation: Operation;
  readonly effect: 'reads' | 'writes' | 'method';
  readonly isBatchable: boolean;
  readonly options: Readonly<EndpointOptions>;
}

/** The success of an operation, without the envelope around it. */
export interface DocumentedOutput {
  readonly data: OpenApiObject;
  /** An empty object where there are no pages. */
  readonly pagination: OpenApiObject;
  readonly isPaged: boolean;
  /** The columns that conditions may be about, under the names that clients use. */
  readonly searchable: readonly string[];
}

/** An operation at the path where clients reach it. */
export interface DocumentedRoute {
  /** With the global prefix and the version, as OpenAPI writes it: `/v1/cities/{id}`. */
  readonly path: string;
  readonly method: HttpMethod;
  readonly operation: DocumentedOperation;
  /** The groups around the endpoint, from the outermost in. */
  readonly groups: readonly object[];
  /** The name of the endpoint in error messages. */
  readonly owner: string;
  readonly endpoint: RoutedEndpoint;
  /** The place of the endpoint among its groups; one endpoint may stand in several. */
  readonly leaf: object;
}

/** A tag of operations. */
export interface DocumentedTag {
  /** The description that the user gave it; undefined where they gave none. */
  readonly description: string | undefined;
  /** True if it is the name of an entity. */
  readonly isEntity: boolean;
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
  /** The names of the rules that all hold: of the application, of its groups from the outermost in, its own. */
  readonly rules: readonly string[];
  /** The endpoint's own `description`. */
  readonly description: string | undefined;
  /** The operation: what the endpoint takes and gives; undefined where documents leave it out. */
  readonly operation: DocumentedOperation | undefined;
}

/**
 * The material of generated documents, made once: when somebody asks, or once the service listens, where {@link tellGaps}
 * was called. Ask when requests come, because the paths are not known before.
 */
export interface ApiDocumentation {
  /** The operations of the whole application, in the order in which endpoints take requests. */
  readonly routes: readonly DocumentedRoute[];
  /** Every endpoint that requests reach, in the order in which endpoints take them; also what documents leave out. */
  readonly endpoints: readonly MountedEndpoint[];
  /** Every tag of the operations, by its name. */
  readonly tags: ReadonlyMap<string, DocumentedTag>;
  /** Every schema that operations refer to, by its name. */
  readonly schemas: ReadonlyMap<string, OpenApiObject>;
  /** Every security scheme that operations refer to, by its name. */
  readonly securitySchemes: ReadonlyMap<string, OpenApiObject>;
  /** The names that authentications gave these schemes, by their names here: two of one name are told apart here. */
  readonly securityNames: ReadonlyMap<string, string>;
  /** The messages that the application sends to receivers of its own accord, by their names; undefined where it sends none. */
  readonly webhooks?: Readonly<Record<string, OpenApiObject>> | undefined;
  /** The names of the schemas that a part of a document refers to, directly or through others. */
  schemasIn(part: unknown): ReadonlySet<string>;
  /** Tells what a success of an operation has; undefined where it stands outside of the envelope. */
  outputOf(route: DocumentedRoute): DocumentedOutput | undefined;
  /**
   * Has the log warn of what cannot be documented. To find that out all is documented, which the start does not wait for:
   * it is done in small turns between requests once the service listens, or when the first document is made.
   */
  tellGaps(): void;
}
