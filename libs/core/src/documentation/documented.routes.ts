import type { DocumentedRoute } from '../endpoint/description/api.documentation.js';
import type { HttpMethod } from '../endpoint/http.method.js';
import type { DocumentedOperation, ParameterObject } from '../endpoint/description/open.api.js';
import type { RoutePattern } from '../endpoint/route.pattern.js';
import type { PlannedHandler } from '../routing/route.plan.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import type { OperationCatalogue } from './operation.catalogue.js';
import { withoutLostTwin } from './operation.twin.js';

/**
 * The operations at the paths where clients reach them. Handlers that never answer are left out. OpenAPI knows no two
 * paths that differ in the names of their parameters alone, so the first one's names hold for all of them.
 */
export function* routesOf(
  handlers: readonly PlannedHandler[],
  catalogue: OperationCatalogue,
): Generator<DocumentedRoute> {
  const takers = new Map<string, RouteLeaf>();
  for (const { leaf, method, pattern, paths } of handlers)
    if (paths.length > 0) takers.set(`${method} ${pattern.shape}`, leaf);
  const patterns = new Map<string, RoutePattern>();
  const seen = new Map<DocumentedOperation, number>();
  for (const { leaf, method, pattern, paths } of handlers) {
    const operation = paths.length === 0 ? undefined : catalogue.operation(leaf, method);
    if (operation === undefined) continue;
    const wild = pattern.segments.find((part) => 'literal' in part && /[{}*?#]/.test(part.literal));
    if (wild !== undefined) {
      catalogue.warnings.add(
        `${method} ${pattern.toString()} is not in documents: OpenAPI has no such paths`,
      );
      continue;
    }
    const known = patterns.get(pattern.shape) ?? pattern;
    patterns.set(pattern.shape, known);
    const count = seen.get(operation) ?? 0;
    seen.set(operation, count + 1);
    const there = mounted(operation, { from: pattern, to: known, count, method });
    yield {
      path: pathOf(known),
      method,
      operation: withoutLostTwin(there, (other) => takers.get(`${other} ${pattern.shape}`) === leaf),
      groups: leaf.groups,
      owner: leaf.owner,
      endpoint: leaf.endpoint,
      leaf,
    };
  }
}

/** A path as OpenAPI writes it: `/cities/{id}`. */
export function pathOf({ segments }: RoutePattern): string {
  return `/${segments.map((part) => ('parameter' in part ? `{${part.parameter}}` : part.literal)).join('/')}`;
}

interface Mounting {
  readonly from: RoutePattern;
  readonly to: RoutePattern;
  /** The number of paths at which the operation stood already. */
  readonly count: number;
  readonly method: HttpMethod;
}

/** An operation at one of its paths: versions and prefixes may add parameters, and ids are unique. */
function mounted(operation: DocumentedOperation, { from, to, count }: Mounting): DocumentedOperation {
  const names = from.parameterNames;
  const isSame = count === 0 && names.every((name, index) => name === to.parameterNames[index]);
  const known = operation.parameters.filter((one) => one.in === 'path');
  if (isSame && known.length === names.length) return operation;
  const path = names.map((name, index): ParameterObject => {
    const documented = known.find((one) => one.name === name);
    const usual = { in: 'path', required: true, schema: { type: 'string', minLength: 1 } } as const;
    return { ...usual, ...documented, name: to.parameterNames[index] ?? name };
  });
  return {
    ...operation,
    operationId: count === 0 ? operation.operationId : `${operation.operationId}_${count + 1}`,
    parameters: [...path, ...operation.parameters.filter((one) => one.in !== 'path')],
  };
}
