import { checkArguments } from '../../../options/checked.arguments.js';
import { ColumnType, type ColumnFacts, type DatabaseValue } from '../../column.type.js';
import { columnTypeCheck } from '../../column.type.check.js';
import type { JsonSchema } from '../../json.schema.js';
import type { RequestFacts } from '../../request.facts.js';
import type { TimeSpan } from '../../values/time.span.js';
import { StringColumn } from '../string.column.js';

/**
 * A column that the service sets from the request when a record is created. Its values are of the type that was given
 * for it, else of what the database column holds. A class of your own says in {@link valueIn} what it takes, and with
 * `isSetOnUpdate` that every change of the record sets it anew.
 */
export abstract class CreatedByColumn extends ColumnType {
  readonly schema: JsonSchema;
  private readonly inner: ColumnType;

  /** @param given the type of the values. Default: what metadata suggests for the column, text for a text column */
  constructor(private readonly given?: ColumnType) {
    super();
    if (given !== undefined) checkArguments('CreatedByColumn', { type: [given, columnTypeCheck] });
    this.inner = given ?? new StringColumn();
    this.schema = this.inner.schema;
    Object.assign(this, traitsOf(this.inner));
  }

  override get inputSchema(): JsonSchema {
    return this.inner.inputSchema;
  }

  /** Reads the value from the request; undefined or null when it has none. */
  protected abstract valueIn(request: RequestFacts): unknown;

  /** Headers, paths and many claims are text whatever they mean, so text is read as the values would be written. */
  override fromRequest(request: RequestFacts): unknown {
    const value = this.valueIn(request);
    if (typeof value !== 'string' || this.complaint(value) === undefined) return value;
    return this.fromText(value) ?? value;
  }

  complaint(value: unknown): string | undefined {
    return this.inner.complaint(value);
  }

  toWire(value: unknown): string {
    return this.inner.toWire(value);
  }

  override fromText(text: string): unknown {
    return this.inner.fromText(text);
  }

  override toDatabase(value: unknown): DatabaseValue {
    return this.inner.toDatabase(value);
  }

  override fromRecorded(json: unknown, exact: unknown = json): unknown {
    return this.inner.fromRecorded(json, exact);
  }

  override toKept(value: unknown): unknown {
    return this.inner.toKept(value);
  }

  override keyText(value: unknown): string {
    return this.inner.keyText(value);
  }

  override toEntity(value: unknown): unknown {
    return this.inner.toEntity(value);
  }

  override timeOf(value: unknown): TimeSpan {
    return this.inner.timeOf(value);
  }

  override numberOf(value: unknown): string {
    return this.inner.numberOf(value);
  }

  override narrow(facts: ColumnFacts): this {
    const { suggested } = facts;
    const readable = suggested?.unusableBecause === undefined ? suggested : undefined;
    const inner = this.given ?? readable ?? this.inner;
    const narrowed = inner.narrow?.(facts) ?? inner;
    return this.with({ ...traitsOf(narrowed), schema: narrowed.schema, inner: narrowed });
  }
}

/** The traits of a column that come from its values, whoever sets them. */
function traitsOf(type: ColumnType): Partial<ColumnType> {
  const { storage, operators, isText, isBoolean, isSortable, equalityWidth, readAsText, ordering } = type;
  return { storage, operators, isText, isBoolean, isSortable, equalityWidth, readAsText, ordering };
}
