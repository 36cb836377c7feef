import type { DocumentedOutput, DocumentedRoute } from '@nest-endpoints/core/internal';
import { toolNameOf } from './tool.name.js';
import type { ToolAnnotations, ToolDefinition } from './tool.js';

/** Name, texts and hints of the tool of an operation. */
export function toolTextsOf(
  { operation, method, endpoint }: DocumentedRoute,
  { searchable }: Pick<DocumentedOutput, 'searchable'>,
): Omit<ToolDefinition, 'inputSchema' | 'outputSchema'> {
  const { operationId, summary, description } = operation;
  const { tool } = endpoint.options;
  const given = tool === undefined || tool === false ? {} : tool;
  return {
    name: given.name ?? toolNameOf(operationId),
    title: given.title ?? summary,
    description: given.description ?? [textOf(summary, description), ...searchedLine(searchable)].join('\n'),
    annotations: annotationsOf(method, endpoint, given),
  };
}

function textOf(summary: string, description: string): string {
  const sentence = `${summary}.`;
  return description.startsWith(summary) ? description : `${sentence} ${description}`;
}

function searchedLine(searchable: readonly string[]): readonly string[] {
  return searchable.length === 0 ? [] : [`Searchable: ${searchable.join(', ')}.`];
}

/** The kinds that only add, or bring back. */
const adding: readonly string[] = ['Create', 'Restore'];

function annotationsOf(
  method: string,
  { effect, kind, operation }: DocumentedRoute['endpoint'],
  { destructive, openWorld = false }: { readonly destructive?: boolean; readonly openWorld?: boolean },
): ToolAnnotations {
  const readOnlyHint = effect === 'reads';
  const adds = adding.includes(kind) || (operation === 'create' && kind !== 'CreateMany');
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && (destructive ?? !adds),
    idempotentHint: readOnlyHint || method === 'PUT' || method === 'DELETE',
    openWorldHint: openWorld,
  };
}
