import type { ParentRule } from '../access/parent.rule.js';
import { textualSchema } from '../model/column.schema.js';
import type { JsonSchema } from '../model/json.schema.js';
import type { Column } from '../model/column.js';
import { selectionOf } from '../query/selection.js';
import type { RecordReading } from '../records/record.store.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { NotFound } from '../wire/refusals.js';
import type { Handler } from './compiled.kind.js';
import type { OperationDescription } from './description/operation.description.js';
import type { EndpointModels } from './endpoint.models.js';
import { namedParents, type NamedParent } from './named.parents.js';
import type { EndpointRequest } from './request/endpoint.request.js';

/**
 * Looks at the parents that the path of a nested resource names, before anything else is judged. One that is not there, is
 * hidden, or belongs to another parent than the path says is Not Found.
 */
export class ParentCheck {
  private constructor(
    private readonly reading: Pick<RecordReading, 'find'>,
    private readonly parents: readonly NamedParent[],
  ) {}

  /** @throws ConfigurationError where the endpoint has no model, or a parent is none that can be looked up */
  static of(owner: string, rule: ParentRule, models: EndpointModels): ParentCheck {
    const own = models.own;
    if (own === undefined) throw new ConfigurationError(owner, 'parent', 'the endpoint has no entity');
    const { model, all } = namedParents(owner, rule, own);
    const reading = models.store(model).readingReferred(selectionOf(owner, model, [model.idColumn.name]));
    return new ParentCheck(reading, all);
  }

  around(handler: Handler): Handler {
    return async (request) => {
      await this.#find(request);
      return handler(request);
    };
  }

  describe(description: OperationDescription): OperationDescription {
    const { pathParameters, refusals = [] } = description;
    const schemas: Record<string, JsonSchema> = {};
    for (const { parameter, path } of this.parents) schemas[parameter] = textualSchema(path.column);
    return {
      ...description,
      pathParameters: { ...pathParameters, ...schemas },
      refusals: refusals === 'any' ? refusals : [...new Set([...refusals, 'notFound' as const])],
    };
  }

  /** @throws NotFound */
  async #find(request: EndpointRequest): Promise<void> {
    const conditions = this.parents.map(({ parameter, path }) => ({
      path,
      comparison: '=' as const,
      value: valueOf(path.column, request.routingData[parameter]),
    }));
    const row = await this.reading.find(request.session, conditions, []);
    if (row === undefined) throw new NotFound();
  }
}

/** @throws NotFound where the text is no value of the column */
function valueOf({ type }: Column, text = ''): unknown {
  const value = type.fromText(text);
  if (type.complaint(value) !== undefined) throw new NotFound();
  return value;
}
