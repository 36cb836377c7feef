import { typeComplaint } from '../../model/column.js';
import type { ColumnPath, Model } from '../../model/model.js';
import type { Condition } from '../../query/query.plan.js';
import { known } from '../../query/selection.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { NameTable } from '../../wire/name.table.js';
import { InvalidInput, NotFound } from '../../wire/refusals.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { PathParameters } from '../../endpoint/route.pattern.js';

/** The options that say which record a request is about. */
interface LookupSource {
  readonly recordLookupColumnName?: string | undefined;
  readonly transformInputTypes?: boolean | undefined;
}

/** Reads from the path which record a request is about. Made once per endpoint. */
export class RecordLookup {
  private constructor(
    readonly path: ColumnPath,
    private readonly names: NameTable,
    private readonly forcesText: boolean,
  ) {}

  /** @throws ConfigurationError when the path has no such parameter, or the column is not unique: in the tenant, if there is one */
  static of(
    context: KindContext,
    model: Model,
    { recordLookupColumnName, transformInputTypes }: LookupSource,
  ): RecordLookup {
    const { owner, pattern, names } = context;
    const name = recordLookupColumnName ?? model.idColumn.name;
    if (!pattern.parameterNames.includes(name))
      throw new ConfigurationError(
        owner,
        'url',
        `'${pattern.toString()}' has no parameter ':${name}', by which the record is looked up`,
      );
    return new RecordLookup(lookupPath(context, model, name), names, transformInputTypes ?? false);
  }

  condition(value: unknown): Condition {
    return { path: this.path, comparison: '=', value };
  }

  /**
   * The looked-up value, read with the column's type.
   * @throws NotFound when the text cannot be of that type; InvalidInput instead when input types are transformed
   */
  value(parameters: PathParameters): unknown {
    const { column } = this.path;
    const value = column.type.fromText(parameters[column.name] ?? '');
    if (column.type.complaint(value) === undefined) return value;
    const complaint = this.forcesText ? typeComplaint(column, value) : undefined;
    if (complaint === undefined) throw new NotFound();
    throw new InvalidInput(new Map([[this.names.outward(column.name), complaint]]));
  }
}

/** The column by which records are looked up. @throws ConfigurationError when it is unknown, or not unique: in the tenant, if there is one */
export function lookupPath(context: KindContext, model: Model, name: string): ColumnPath {
  const { owner } = context;
  const { column } = known(owner, model, name, 'recordLookupColumnName');
  const own = context.ownColumns(model).map(({ column: { property } }) => property);
  if (!model.isUnique(column, own))
    throw new ConfigurationError(owner, 'recordLookupColumnName', `'${name}' is not unique in the entity`);
  return { text: name, relations: [], column };
}
