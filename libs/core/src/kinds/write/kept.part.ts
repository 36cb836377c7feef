import type { PartitionRule } from '../../access/partition.rule.js';
import { ScopedEntity } from '../../access/scoped.entity.js';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import type { RequestFacts } from '../../model/request.facts.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { KeptAnswers } from '../../records/idempotency/kept.answers.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/** Tells in which part of their table answers are kept. Made once per endpoint. */
export class KeptPart {
  private constructor(private readonly scope: ScopedEntity) {}

  /**
   * Undefined where the table is whole.
   * @throws ConfigurationError where it is whole and tables of records are not, and where it is in parts that nobody names
   */
  static of(
    { owner, database, settings }: Pick<KindContext, 'owner' | 'database' | 'settings'>,
    kept: KeptAnswers,
  ): KeptPart | undefined {
    const { partition } = settings;
    const refuse = (problem: string): never => {
      throw new ConfigurationError(owner, 'idempotency', problem);
    };
    const { parting, meta } = kept;
    if (parting === undefined) {
      const parted = partition && partedBy(database.orm.getMetadata().getAll().values(), partition);
      if (parted === undefined) return undefined;
      return refuse(
        `${parted.className} is in parts by '${parted.column}', and the answers would not be: take partedIdempotencyRecord({ ${parted.column}: … }) instead of IdempotencyRecord`,
      );
    }
    const scope = partition?.scopeOf(meta);
    const [condition] = scope?.conditions ?? [];
    if (scope === undefined || condition?.propertyName !== parting.name)
      return refuse(
        `partedIdempotencyRecord has the column '${parting.name}', and that of \`partition\` is ${partition === undefined ? 'not said' : `'${partition.options.column}'`}`,
      );
    return new KeptPart(new ScopedEntity('partition', meta, scope, database.dialect));
  }

  /** The value of the part, as it is bound. @throws Error where a request has none that the column can hold */
  valueIn(request: RequestFacts): unknown {
    return this.scope.bound(request)[0]?.value;
  }
}

/** An entity whose key begins with the column of a partition, and its property. */
function partedBy(
  all: Iterable<Parameters<PartitionRule['concerns']>[0]>,
  partition: PartitionRule,
): { readonly className: string; readonly column: string } | undefined {
  for (const meta of all) {
    const [first] = partingPropertiesOf(meta);
    const name = partition.scopeOf(meta)?.conditions[0]?.propertyName;
    if (first !== undefined && first.name === name) return { className: meta.className, column: first.name };
  }
  return undefined;
}
