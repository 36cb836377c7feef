import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { plainProperty } from '../database/plain.filter.js';
import { didYouMean } from '../options/nearest.name.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { Authorization } from './authorization.js';
import { propertiesAt } from '../metadata/keys/entity.path.js';
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
    const [name = ''] = this.option.split('.');
    // An entity that shares the table may not have the relation: then none of its records has a parent here.
    if (plainProperty(entity, name) === undefined) return { conditions: [] };
    const levels = this.levelsOf(entity);
    const [{ relation, parameter }] = levels;
    const condition: ScopeCondition = {
      propertyName: relation.name,
      value: ({ routingData }) => routingData[parameter],
      isText: true,
      // In a tree parents are records of the entity, too, and have parents of their own.
      isOfSubject: levels.some((level) => level.relation.targetMeta?.root.class === entity.root.class),
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
      levels.push({ relation, parameter: this.#parameterOf(at, name, levels) });
      at = relation.targetMeta;
    }
    const [nearest, ...others] = levels;
    if (nearest === undefined) throw this.#unknown(entity, this.option);
    return [nearest, ...others];
  }

  #parameterOf(entity: EntityMetadata, name: string, levels: readonly ParentLevel[]): string {
    const target = entity.relations.find((one) => one.name === name)?.targetMeta;
    const isKey = (one: string): boolean => one !== name && propertiesAt(entity, [one])?.[0] === name;
    const free = this.parameters.filter((one) => levels.every(({ parameter }) => parameter !== one));
    // Two levels of a tree go over one relation: the names of both make that of the outer one.
    const joined = keyNames([...levels.map(({ relation }) => relation.name), name], target);
    const parameter = free.find(isKey) ?? free.find((one) => joined.includes(one));
    if (parameter !== undefined) return parameter;
    const [example] = this.parameters.some(isKey) ? joined : keyNames([name], target);
    const problem = `the path has no parameter for '${name}', e.g. ':${example}'`;
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

/** The names of a key in the words of the relations that lead to it: `parentParentId`, `parent_parent_id`. */
function keyNames(
  relations: readonly string[],
  target: EntityMetadata | undefined,
): readonly [string, string] {
  const words = [...relations, target?.primaryKeys.at(-1) ?? 'id'];
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  return [words.map((word, index) => (index === 0 ? word : capital(word))).join(''), words.join('_')];
}
