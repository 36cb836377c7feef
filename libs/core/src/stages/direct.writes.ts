import type { Compilation } from '../endpoint/compilation.js';
import type { Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import type { Condition } from '../query/query.plan.js';
import { selectionOf } from '../query/selection.js';
import type { RecordFilter } from '../records/record.filter.js';
import type { DirectWriting } from '../records/record.store.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { LifeCycle } from './life.cycle.js';
import type { EntityTags } from './entity.tags.js';
import type { RecordLookup } from './record.lookup.js';

/** What of an endpoint's options matters to how it writes. */
interface WriteSource {
  readonly readableColumnNames?: readonly string[];
  readonly outputMap?: unknown;
  readonly inputValidationCallable?: unknown;
}

/** What stages know of it. */
interface WritePlan {
  /** The columns that a client sets, or the service. */
  readonly columns?: readonly Column[];
  readonly filter?: RecordFilter;
  readonly lookup?: RecordLookup;
  /** Whether rules compare what was sent with what is stored. */
  readonly comparesStored?: boolean;
  /** Why functions of the user's need the entity. */
  readonly lifeCycle?: LifeCycle;
  /** Of what is answered. */
  readonly tags?: EntityTags | undefined;
}

const noConditions: readonly Condition[] = [];

/**
 * The writes of an endpoint that are one statement each; undefined where it needs MikroORM's way. The start-up log has
 * the reason.
 */
export function directWriting(
  compilation: Compilation,
  model: Model,
  options: WriteSource,
  { columns = [], filter, lookup, comparesStored = false, lifeCycle, tags }: WritePlan,
): DirectWriting | undefined {
  const { owner } = compilation;
  refuseReadonly(compilation, model);
  const writing =
    compilation.reasonOfAccess ??
    lifeCycle?.reason ??
    reasonOf(options, filter, comparesStored) ??
    compilation.store(model).direct({
      columns,
      lookup: lookup?.path.column,
      conditions: filter?.conditions ?? noConditions,
      selection: tags?.selection ?? selectionOf(owner, model, options.readableColumnNames ?? []),
    });
  if (typeof writing !== 'string') return writing;
  compilation.needsMikroOrm(writing);
  return undefined;
}

/** MikroORM leaves out what it should write of such an entity, without an error. */
function refuseReadonly(compilation: Compilation, model: Model): void {
  const { className, readonly } = model.meta;
  if (readonly !== true || !compilation.store(model).knowsSql) return;
  const problem = `MikroORM does not write ${className}, which is a view or readonly`;
  throw new ConfigurationError(
    compilation.owner,
    'modelClass',
    `${problem}; a RestfulApi of it needs readOnly`,
  );
}

function reasonOf(
  { outputMap, inputValidationCallable }: WriteSource,
  filter: RecordFilter | undefined,
  comparesStored: boolean,
): string | undefined {
  if (outputMap !== undefined) return 'outputMap gets entities';
  if (inputValidationCallable !== undefined) return 'inputValidationCallable gets an entity manager';
  if (filter?.needsSql === true) return '`where` or `joins` bring a query';
  return comparesStored ? 'rules compare columns with what is stored' : undefined;
}
