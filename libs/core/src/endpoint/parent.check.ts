import type { ParentRule } from '../access/parent.rule.js';
import { textualSchema } from '../model/column.schema.js';
import type { JsonSchema } from '../model/json.schema.js';
import type { Column } from '../model/column.js';
import type { ColumnPath, Model } from '../model/model.js';
import { selectionOf } from '../query/selection.js';
import type { RecordReading } from '../records/record.store.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { NotFound } from '../wire/refusals.js';
import type { Handler } from './compiled.kind.js';
import type { OperationDescription } from './description/operation.description.js';
import type { EndpointModels } from './endpoint.models.js';
import type { EndpointRequest } from './request/endpoint.request.js';

/** A parent that a path names: the parameter, and the column of the innermost parent's model that it is a value of. */
interface NamedParent {
  readonly parameter: string;
  readonly path: ColumnPath;
}

/**
 * Looks at the parents that the path of a nested resource names, before anything else is judged. One that is not there, is
 * hidden, or belongs to another parent than the path says is Not Found.
 */
export class ParentCheck {
  private constructor(
    private readonly reading: RecordReading,
    private readonly parents: readonly NamedParent[],
  ) {}

  /** @throws ConfigurationError where the endpoint has no model, or a parent is none that can be looked up */
  static of(owner: string, rule: ParentRule, models: EndpointModels): ParentCheck {
    const own = models.own;
    if (own === undefined) throw new ConfigurationError(owner, 'parent', 'the endpoint has no entity');
    const levels = rule.levelsOf(own.meta);
    const [nearest] = levels;
    const column = [...own.columns.values()].find(
      ({ property, type }) => property === nearest.relation && type.storage === 'scalar',
    );
    const parent = column === undefined ? undefined : own.parentOf(column);
    if (parent === undefined)
      throw new ConfigurationError(owner, 'parent', 'the key of the parent is no column of the entity');
    const parents = levels.map(({ parameter }, index) => {
      const relations = levels.slice(1, index + 1).map(({ relation }) => relation.name);
      return { parameter, path: pathOf(owner, parent, relations) };
    });
    const reading = models.store(parent).reading(selectionOf(owner, parent, [parent.idColumn.name]));
    return new ParentCheck(reading, parents);
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

/** The path from the innermost parent to the key of one further out. */
function pathOf(owner: string, parent: Model, relations: readonly string[]): ColumnPath {
  let model = parent;
  for (const name of relations) {
    const relation = model.relations.get(name);
    if (relation === undefined) throw new ConfigurationError(owner, 'parent', model.problemOf(name));
    model = relation.target();
  }
  const text = [...relations, model.idColumn.name].join('.');
  const path = parent.path(text);
  if (path === undefined) throw new ConfigurationError(owner, 'parent', parent.problemOf(text));
  return path;
}

/** @throws NotFound where the text is no value of the column */
function valueOf({ type }: Column, text = ''): unknown {
  const value = type.fromText(text);
  if (type.complaint(value) !== undefined) throw new NotFound();
  return value;
}
