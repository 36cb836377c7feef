import type { KindContext } from '../../../endpoint/kind.context.js';
import type { PathParameters } from '../../../endpoint/route.pattern.js';
import { typeComplaint, type Column } from '../../../model/column.js';
import type { ColumnPath, Model } from '../../../model/model.js';
import { requiredMessage } from '../../../model/validators/required.validator.js';
import { known } from '../../../query/selection.js';
import type { ColumnValues } from '../../../records/record.store.js';
import { isSame } from '../../../request/input.rules.js';
import type { RecordInput } from '../../../request/record.input.js';
import { ConfigurationError } from '../../../wire/configuration.error.js';
import type { NameTable } from '../../../wire/name.table.js';
import { InvalidInput, NotFound } from '../../../wire/refusals.js';

/** The options that say by which columns a record is found. */
export interface ConflictSource {
  readonly conflictColumnNames?: readonly string[] | undefined;
  readonly recordLookupColumnName?: string | undefined;
  readonly writeableColumnNames: readonly string[];
  readonly transformInputTypes?: boolean | undefined;
}

/** The complaint about a value in the body that is another than in the path. */
const notInPathMessage = 'must be as in the path';

/** The columns by whose values a record is found: those of one unique constraint. Made once per endpoint. */
export class ConflictColumns {
  readonly paths: readonly ColumnPath[];

  private constructor(
    readonly columns: readonly Column[],
    /** The columns whose values the path has, by the names of the parameters. */
    readonly inPath: ReadonlyMap<string, Column>,
    /** The columns among them that have the request's own values. */
    private readonly own: readonly Column[],
    /** The option that says which they are, for messages. */
    readonly option: string,
    private readonly names: NameTable,
    private readonly forcesText: boolean,
  ) {
    this.paths = columns.map((column) => ({ text: column.name, relations: [], column }));
  }

  /** @throws ConfigurationError where they are not the columns of one unique constraint, or nobody says their values */
  static of(context: KindContext, model: Model, source: ConflictSource): ConflictColumns {
    const { pattern, names } = context;
    const { transformInputTypes = false } = source;
    const columns = chosen(context, model, source);
    const properties = context.ownColumns(model).map(({ column }) => column.property);
    const own = columns.filter(({ property }) => properties.includes(property));
    const said = columns.filter((one) => pattern.parameterNames.includes(one.name) && !own.includes(one));
    const inPath = new Map(said.map((column) => [column.name, column]));
    for (const column of columns)
      if (!own.includes(column)) refuseUnsaid(context.owner, source, column, inPath);
    return new ConflictColumns(columns, inPath, own, optionOf(source), names, transformInputTypes);
  }

  /** The columns of which each alone tells the record: the others have the request's own values. */
  get settled(): readonly Column[] {
    return this.columns.filter((column) =>
      this.columns.every((one) => one === column || this.own.includes(one)),
    );
  }

  /** The columns that clients say, in the body or in the path. */
  writeable(names: readonly string[]): readonly string[] {
    return [...new Set([...names, ...this.inPath.keys()])];
  }

  /**
   * Puts the values of the path into a body.
   * @throws NotFound when a text cannot be of its column's type; InvalidInput instead when input types are transformed
   */
  merge(body: ReadonlyMap<string, unknown>, parameters: PathParameters): ReadonlyMap<string, unknown> {
    if (this.inPath.size === 0) return body;
    const merged = new Map(body);
    for (const [parameter, column] of this.inPath)
      merged.set(this.names.outward(column.name), this.#valueIn(column, parameters[parameter]));
    return merged;
  }

  /** Complains about what a body says otherwise than the path, and about a key that nobody says. */
  compare(input: RecordInput, body: ReadonlyMap<string, unknown>): void {
    for (const column of this.inPath.values()) {
      const name = this.names.outward(column.name);
      if (!body.has(name)) continue;
      const sent: unknown = body.get(name);
      const isText = this.forcesText && column.type.forcesText && typeof sent === 'string';
      const read = isText ? column.type.fromText(sent) : sent;
      if (!isSame(column, read, input.values.get(column))) input.complain(name, notInPathMessage);
    }
    for (const column of this.columns) {
      const name = this.names.outward(column.name);
      if ((input.values.get(column) ?? null) === null) input.complain(name, requiredMessage(name));
    }
  }

  /** The values by which the record is found; undefined where something is wrong with one of them. */
  keyOf({ values, complaints }: Pick<RecordInput, 'values' | 'complaints'>): ColumnValues | undefined {
    const isKnown = (column: Column): boolean => {
      const value = values.get(column);
      if (value === undefined || value === null) return false;
      return this.own.includes(column) || !complaints.has(this.names.outward(column.name));
    };
    if (!this.columns.every(isKnown)) return undefined;
    return new Map(this.columns.map((column) => [column, column.type.toKept(values.get(column))]));
  }

  #valueIn(column: Column, text = ''): unknown {
    const value = column.type.fromText(text);
    if (column.type.complaint(value) === undefined) return value;
    const complaint = this.forcesText ? typeComplaint(column, value) : undefined;
    if (complaint === undefined) throw new NotFound();
    throw new InvalidInput(new Map([[this.names.outward(column.name), complaint]]));
  }
}

/** The columns that the options name, or those of the constraint by which the path finds a record. */
function chosen(context: KindContext, model: Model, source: ConflictSource): readonly Column[] {
  const { owner, pattern } = context;
  const { conflictColumnNames: named, recordLookupColumnName } = source;
  const sets = model.uniqueSets;
  if (named !== undefined) {
    const columns = [...new Set(named)].map((name) => ownColumn(owner, model, name));
    const isOne = sets.some(
      (set) => set.length === columns.length && set.every((one) => columns.includes(one)),
    );
    if (isOne) return columns;
    const what = `${named.join(', ')} are not the columns of one unique constraint, all of them not null`;
    throw new ConfigurationError(owner, 'conflictColumnNames', `${what}; ${listed(sets)}`);
  }
  const name = recordLookupColumnName ?? model.idColumn.name;
  const { column } = known(owner, model, name, 'recordLookupColumnName');
  if (!pattern.parameterNames.includes(name)) {
    const problem = `'${pattern.toString()}' has no parameter ':${name}', by which the record is found, and there are no conflictColumnNames`;
    throw new ConfigurationError(owner, 'url', problem);
  }
  const own = context.ownColumns(model).map((one) => one.column.property);
  const among = sets.filter((set) => {
    const others = set.filter((one) => one !== column);
    return others.length === set.length - 1 && others.every(({ property }) => own.includes(property));
  });
  // A constraint of the column alone holds for all tenants.
  const [nearest] = among.toSorted((one, other) => one.length - other.length);
  if (nearest !== undefined) return [column, ...nearest.filter((one) => one !== column)];
  const problem = `'${name}' is not unique in the entity, or may be null; ${listed(sets)}`;
  throw new ConfigurationError(owner, 'recordLookupColumnName', problem);
}

function ownColumn(owner: string, model: Model, name: string): Column {
  const { relations, column } = known(owner, model, name, 'conflictColumnNames');
  if (relations.length === 0) return column;
  throw new ConfigurationError(owner, 'conflictColumnNames', `'${name}' is a column of another record`);
}

function optionOf({ conflictColumnNames }: ConflictSource): string {
  return conflictColumnNames === undefined ? 'recordLookupColumnName' : 'conflictColumnNames';
}

function listed(sets: readonly (readonly Column[])[]): string {
  const all = sets.map((set) => set.map(({ name }) => name).join(', '));
  return `allowed: ${all.length === 0 ? 'none, because the entity has no unique constraint' : all.join('; ')}`;
}

/** Refuses a column whose value nobody says: neither a client, nor the path, nor the service. */
function refuseUnsaid(
  owner: string,
  source: ConflictSource,
  { name, property, type, readOnlyBecause }: Column,
  inPath: ReadonlyMap<string, Column>,
): void {
  if (type.fromRequest !== undefined) return;
  const isSaid = inPath.has(name) || source.writeableColumnNames.includes(name);
  const reason = property.autoincrement === true ? 'the database counts it' : readOnlyBecause;
  if (isSaid && reason === undefined) return;
  const problem =
    reason === undefined
      ? `'${name}' is neither writeable, nor in the path, nor set by the service`
      : `'${name}' cannot be written: ${reason}`;
  throw new ConfigurationError(owner, optionOf(source), problem);
}
