import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { plainProperty } from '../database/plain.filter.js';
import { didYouMean } from '../options/nearest.name.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { Authorization } from './authorization.js';
import { propertiesAt } from './entity.path.js';
import type { RecordScope, ScopeCondition } from './record.scope.js';

/** One step from a record to the parents that its path names. */
export interface ParentLevel {
  readonly relation: EntityProperty;
  /** The path parameter that has the parent's key. */
  readonly parameter: string;
}

/** The parent of a nested resource as a rule: there are only the records of the parent that the path names. */
export class ParentRule extends Authorization {
  /**
   * @param owner the endpoint in error messages
   * @param option the relations from the record to its parents, e.g. `ticket` or `comment.ticket`
   * @param parameters the names of the path's parameters
   */
  constructor(
    private readonly owner: string,
    private readonly option: string,
    private readonly parameters: readonly string[],
  ) {
    super();
  }

  readonly narrows = true;

  /** False: what other records there are is not for the path to say. */
  override concerns(): boolean {
    return false;
  }

  scopeOf(entity: EntityMetadata): RecordScope {
    const [{ relation, parameter }] = this.levelsOf(entity);
    const condition: ScopeCondition = {
      propertyName: relation.name,
      value: ({ routingData }) => routingData[parameter],
      isText: true,
    };
    return { conditions: [condition], isSticky: true, otherwise: 'notFound' };
  }

  /**
   * The levels from a record outwards.
   *
   * @throws ConfigurationError where the option names no parent, or the path has no parameter for it
   */
  levelsOf(entity: EntityMetadata): readonly [ParentLevel, ...ParentLevel[]] {
    const levels: ParentLevel[] = [];
    let at = entity;
    for (const name of this.option.split('.')) {
      const relation = parentsOf(at).find((one) => one.name === name);
      if (relation?.targetMeta === undefined) throw this.#unknown(at, name);
      if (relation.targetMeta.root === entity.root)
        throw new ConfigurationError(this.owner, 'parent', `'${name}' leads to ${entity.className} itself`);
      levels.push({ relation, parameter: this.#parameterOf(at, name, levels) });
      at = relation.targetMeta;
    }
    const [nearest, ...others] = levels;
    if (nearest === undefined) throw this.#unknown(entity, this.option);
    return [nearest, ...others];
  }

  #parameterOf(entity: EntityMetadata, name: string, levels: readonly ParentLevel[]): string {
    const parameter = this.parameters.find(
      (one) => one !== name && propertiesAt(entity, [one])?.[0] === name && isFree(one, levels),
    );
    if (parameter !== undefined) return parameter;
    const problem = `the path has no parameter for '${name}', e.g. ':${name}Id'`;
    throw new ConfigurationError(this.owner, 'url', problem);
  }

  #unknown(entity: EntityMetadata, name: string): ConfigurationError {
    const names = parentsOf(entity).map((one) => one.name);
    const problem = `'${name}' is no parent of ${entity.className}${didYouMean(name, names)}; allowed: ${names.join(', ')}`;
    return new ConfigurationError(this.owner, 'parent', problem);
  }
}

function parentsOf(entity: EntityMetadata): readonly EntityProperty[] {
  return entity.relations.filter(({ name }) => plainProperty(entity, name) !== undefined);
}

function isFree(name: string, levels: readonly ParentLevel[]): boolean {
  return levels.every(({ parameter }) => parameter !== name);
}
