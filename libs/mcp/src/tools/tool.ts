import type { DocumentedRoute, OpenApiObject } from '@nest-endpoints/core/internal';

/** The place of an argument in a request: where it stands, and under which name. */
export type Slot =
  | { readonly in: 'path'; readonly name: string }
  | { readonly in: 'header'; readonly name: string }
  | QuerySlot
  /** The members of an object, each a parameter of its own. */
  | { readonly in: 'parameters'; readonly isNumber: boolean }
  | { readonly in: 'member'; readonly name: string }
  /** An object with those members of the body whose names something else has, or the whole body. */
  | { readonly in: 'body' };

/** A parameter of a query string. */
interface QuerySlot {
  readonly in: 'query';
  readonly name: string;
  /** True for a list in one text. */
  readonly isOneText: boolean;
  /** True if a number is meant, which need not be exact. */
  readonly isNumber: boolean;
}

/** Hints for clients about what a tool does. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool as clients see it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: ToolAnnotations;
}

/** A JSON Schema of an object. */
export type ObjectSchema = OpenApiObject & { readonly type: 'object' };

/** An endpoint with one of its methods, offered to agents. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly route: DocumentedRoute;
  /** The text that the words of a search are looked for in, in lower case. */
  readonly searchedText: string;
  readonly slots: ReadonlyMap<string, Slot>;
  /** True if the members of the body are arguments of their own. */
  readonly hasMembers: boolean;
  /** True if a body is required. */
  readonly needsBody: boolean;
  readonly isPaged: boolean;
  /** The argument that says how many records a page has, and its usual value; undefined where there is none. */
  readonly limit: { readonly name: string; readonly usual: number } | undefined;
}
