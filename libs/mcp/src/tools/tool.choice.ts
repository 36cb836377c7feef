import type { DocumentedRoute } from '@nest-endpoints/core/internal';

/** An operation that may become a tool. */
export interface ToolCandidate {
  /** The name of the tool. */
  readonly name: string;
  readonly operationId: string;
  readonly method: string;
  /** The path as OpenAPI writes it: `/cities/{id}`. */
  readonly path: string;
  /** The kind of the endpoint, e.g. `Get`. */
  readonly kind: string;
  readonly tags: readonly string[];
  /** True if it changes nothing. */
  readonly readOnly: boolean;
}

/** A choice of tools. */
export type ToolChoice = 'reads' | 'all' | readonly string[] | ((operation: ToolCandidate) => boolean);

/** True if an operation can be a tool at all: what stands outside of the envelope cannot, nor can what is kept away. */
export function isOffered({ endpoint, operation }: DocumentedRoute): boolean {
  const { isBatchable, options } = endpoint;
  // Of operations that ask the same one is enough.
  return isBatchable && options.tool !== false && operation['x-same-as'] === undefined;
}

/** True if a choice has an operation. */
export function isChosen(choice: ToolChoice, candidate: ToolCandidate): boolean {
  if (choice === 'all') return true;
  if (choice === 'reads') return candidate.readOnly;
  if (typeof choice === 'function') return choice(candidate);
  return choice.includes(candidate.name);
}
