import type { KindContext, RulingEndpoint } from '../../endpoint/kind.context.js';
import type { NestedOptions, WriteableRelations } from '../../endpoint/options/nested.options.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import type { RecordInput } from '../../request/record.input.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { Outcome } from '../../wire/outcome.table.js';
import type { NestedPlan, ReadBody, RelationLevel, WrittenRelation } from './nested.plan.js';
import type { NestedReader } from './nested.reader.js';
import { planOf } from './plan.reading.js';
import { RelatedRecords } from './related.records.js';
import { OwnerRules } from './owner.rules.js';
import type { CreateRules } from './related.rules.js';
import { nestedOption, relatedShape, type NestedVerb, type RelatedShape } from './related.shape.js';

/** The usual limit of levels. */
const usualDepth = 2;

/** The relations of records that are written within their bodies. Made once per endpoint and level. */
export class NestedRelations implements RelationLevel {
  readonly #byName: ReadonlyMap<string, RelatedRecords>;
  readonly #plans = new WeakMap<RecordInput, readonly NestedPlan[]>();

  constructor(
    private readonly context: KindContext,
    readonly model: Model,
    readonly owners: OwnerRules,
    shapes: readonly RelatedShape[],
    verb: NestedVerb,
  ) {
    const byName = context.names.index(context.owner, nestedOption, shapes);
    this.#byName = new Map(
      [...byName].map(([name, shape]) => [name, new RelatedRecords(context, shape, verb, within)]),
    );
  }

  /** Undefined where bodies have no related records. @throws ConfigurationError, also once the application is ready */
  static of(
    context: KindContext,
    model: Model,
    options: NestedOptions & Parameters<KindContext['filter']>[1],
    verb: NestedVerb,
  ): NestedRelations | undefined {
    const refuse = (problem: string): never => {
      throw new ConfigurationError(context.owner, nestedOption, problem);
    };
    const { writeableRelations = {}, maximumDepth = usualDepth } = options;
    if (depthOf(writeableRelations) > maximumDepth)
      refuse(`there are more than ${maximumDepth} levels of related records; maximumDepth allows up to 3`);
    const relations = levelOf({ context, model, options, ruler: undefined }, writeableRelations, verb);
    if (relations === undefined) return undefined;
    context.whenReady(() => {
      relations.link();
    });
    return relations;
  }

  get all(): readonly RelatedRecords[] {
    return [...this.#byName.values()];
  }

  get refusals(): readonly Outcome[] {
    return this.all.some(({ mayRefuse }) => mayRefuse) ? ['notAuthorized'] : [];
  }

  /** The relations by the names that clients know. */
  get byName(): ReadonlyMap<string, WrittenRelation> {
    return this.#byName;
  }

  /** The columns that a new record may get its values in from related ones. */
  get keys(): readonly Column[] {
    return this.all.flatMap(({ shape: { key, operations } }) =>
      key !== undefined && operations.has('create') ? [key] : [],
    );
  }

  get keyNames(): readonly string[] {
    return this.keys.map(({ name }) => this.context.names.outward(name));
  }

  link(): void {
    for (const relation of this.all) relation.link();
  }

  /** Parts what a body says of a record from what it says of related ones, and reads these. */
  read(body: ReadonlyMap<string, unknown>, place: string, reader: NestedReader): ReadBody {
    const own = new Map(body);
    const plans: NestedPlan[] = [];
    for (const [name, relation] of this.#byName) {
      if (!body.has(name)) continue;
      own.delete(name);
      const at = `${place}${name}`;
      const { beside } = relation.shape;
      const other = beside && this.context.names.outward(beside.name);
      if (other !== undefined && body.has(other)) reader.complain(at, `'${other}' is given as well`);
      plans.push(planOf(relation, body.get(name), at, reader));
    }
    return { own, plans };
  }

  /** Keeps what a body says of related records with what it says of the record itself. */
  keep(input: RecordInput, plans: readonly NestedPlan[]): void {
    for (const { relation, creates } of plans) {
      const { key } = relation.shape;
      // The record gets the key of one that is made for it.
      if (key !== undefined && creates.length > 0)
        input.complaints.delete(this.context.names.outward(key.name));
    }
    if (plans.length > 0) this.#plans.set(input, plans);
  }

  /** The related records that a body has; none for most. */
  plansOf(input: RecordInput): readonly NestedPlan[] {
    return this.#plans.get(input) ?? [];
  }
}

/** The endpoint that records are of which others are related to. */
interface OwnerSource {
  readonly context: KindContext;
  readonly model: Model;
  readonly options: Parameters<KindContext['filter']>[1];
  readonly ruler: RulingEndpoint | undefined;
}

function levelOf(
  { context, model, options, ruler }: OwnerSource,
  writeable: WriteableRelations,
  verb: NestedVerb,
): NestedRelations | undefined {
  const shapes = Object.entries(writeable)
    .map(([name, option]) => relatedShape(context, model, name, option))
    // A new record has nothing yet that could be changed.
    .filter(({ operations }) => verb === 'update' || operations.has('create'));
  if (shapes.length === 0) return undefined;
  const { bulkWriting } = context.store(model);
  if (bulkWriting === undefined) {
    const problem = `the records of ${model.meta.className} are in a backend of your own`;
    throw new ConfigurationError(context.owner, nestedOption, problem);
  }
  const owners = new OwnerRules(context, model, bulkWriting, options, ruler);
  return new NestedRelations(context, model, owners, shapes, verb);
}

/** The relations of related records, whose rules are known by now. */
function within(
  rules: CreateRules,
  writeable: WriteableRelations,
  verb: NestedVerb,
): RelationLevel | undefined {
  const level = levelOf(rules, writeable, verb);
  level?.link();
  return level;
}

function depthOf(relations: WriteableRelations): number {
  const depths = Object.values(relations).map((one) => 1 + depthOf(one.writeableRelations ?? {}));
  return Math.max(0, ...depths);
}
