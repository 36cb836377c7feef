import type { KindContext } from '../../endpoint/kind.context.js';
import type { WriteableRelations } from '../../endpoint/options/nested.options.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { RelatedOperations, RelationLevel, WrittenRelation } from './nested.plan.js';
import {
  createRules,
  deleteRules,
  updateRules,
  type CreateRules,
  type RelatedRules,
} from './related.rules.js';
import { nestedOption, type NestedVerb, type RelatedShape } from './related.shape.js';
import { refuseRuled, rulersOf } from './ruling.endpoints.js';

type Within = Readonly<Partial<Record<NestedVerb, RelationLevel>>>;

/** The parts of a relation that other endpoints say. */
interface Linked {
  readonly rules: RelatedOperations;
  /** The relations of new related records, and of those that are changed. */
  readonly within: Within;
}

/** Makes the relations of related records. */
type LevelOf = (
  rules: CreateRules,
  relations: WriteableRelations,
  verb: NestedVerb,
) => RelationLevel | undefined;

/** One relation whose records are written within bodies. Its rules are known once all endpoints are compiled. */
export class RelatedRecords implements WrittenRelation {
  #linked: Linked | undefined;

  constructor(
    readonly context: KindContext,
    readonly shape: RelatedShape,
    readonly verb: NestedVerb,
    private readonly levelOf: LevelOf,
  ) {}

  get rules(): RelatedOperations {
    return this.#known.rules;
  }

  /** Documents may be asked for before the start has come to this endpoint: no order is the wrong one. */
  get #known(): Linked {
    return this.#linked ?? this.link();
  }

  get mayRefuse(): boolean {
    const { create, update, delete: removed } = this.rules;
    const isRuled = [create, update, removed].some((rules) => {
      const { authorizations = [] } = rules?.ruler?.context.settings ?? {};
      return authorizations.length > 0;
    });
    return isRuled || Object.values(this.#known.within).some(({ refusals }) => refusals.length > 0);
  }

  /** The relations of related records that are written by these rules. */
  within(verb: NestedVerb): RelationLevel | undefined {
    return this.#known.within[verb];
  }

  /** Finds the rules, when all endpoints are compiled. @throws ConfigurationError */
  link(): Linked {
    const { context, shape } = this;
    const rulers = rulersOf(context, shape);
    const wanted = this.#operations((one) => shape.option.through === undefined || rulers[one] !== undefined);
    const sourceOf = (one: 'create' | 'update' | 'delete') => ({ shape, ruler: rulers[one], outer: context });
    const rules: RelatedOperations = {
      ...(wanted.create && { create: createRules(sourceOf('create')) }),
      ...(wanted.update && { update: updateRules(sourceOf('update')) }),
      ...(wanted.delete && { delete: deleteRules(sourceOf('delete')) }),
    };
    const any: RelatedRules | undefined = rules.create ?? rules.update ?? rules.delete;
    if (any === undefined)
      throw new ConfigurationError(context.owner, nestedOption, `'${shape.name}': nothing can be done`);
    const isReplaced = shape.replaces && this.verb === 'update';
    if (isReplaced && rules.delete === undefined && !shape.operations.has('unlink')) {
      const problem = `'${shape.name}': no endpoint of '${shape.option.through ?? ''}' gives the rules of delete, which replace needs`;
      throw new ConfigurationError(context.owner, nestedOption, problem);
    }
    if (shape.option.through === undefined) refuseRuled(context, shape, any.model);
    const { create, update } = rules;
    const within = { ...this.#level('create', create), ...this.#level('update', update) };
    return (this.#linked = { rules, within });
  }

  /** The operations that bodies have here. Those that nobody asked for are left out where nothing gives their rules. */
  #operations(isRuled: (one: 'create' | 'update' | 'delete') => boolean) {
    const { operations, option, name } = this.shape;
    const needs = {
      create: operations.has('create'),
      update: operations.has('update') || operations.has('link') || operations.has('unlink'),
      delete: operations.has('delete'),
    } as const;
    const isWanted = (one: keyof typeof needs): boolean => {
      if (!needs[one] || (this.verb === 'create' && one !== 'create')) return false;
      if (isRuled(one)) return true;
      if (option.operations === undefined) return false;
      const problem = `'${name}': no endpoint of '${option.through ?? ''}' gives the rules of ${one}`;
      throw new ConfigurationError(this.context.owner, nestedOption, problem);
    };
    return { create: isWanted('create'), update: isWanted('update'), delete: isWanted('delete') };
  }

  #level(verb: NestedVerb, rules: CreateRules | undefined): Within {
    const { writeableRelations } = this.shape.option;
    if (rules === undefined || writeableRelations === undefined) return {};
    const level = this.levelOf(rules, writeableRelations, verb);
    return level === undefined ? {} : { [verb]: level };
  }
}
