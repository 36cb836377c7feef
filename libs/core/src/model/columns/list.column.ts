import { checkArguments } from '../../options/checked.arguments.js';
import { withNumberTexts } from '../../wire/json.text.js';
import { ColumnType, type ColumnFacts, type DatabaseValue, type ListFacts } from '../column.type.js';
import { columnTypeCheck } from '../column.type.check.js';
import { ItemLimit, type ItemOptions } from '../item.limit.js';
import { orNull, type JsonSchema } from '../json.schema.js';
import { jsonOrText } from '../values/json.or.text.js';
import { isStorableJson, notStorableMessage } from '../values/storable.text.js';
import { JsonColumn } from './json.column.js';

/** The default limit of items in a list: each is judged, written and read on the only thread. */
const customaryItems = 10_000;

/** A JSON array whose items are of one type. Stored in a list of the database (`text[]`), or as JSON. */
export class ListColumn extends ColumnType {
  readonly name = 'List';
  override readonly storage = 'list';
  readonly schema: JsonSchema;
  private readonly items: ColumnType;
  /** The facts about the stored list; undefined where the database holds JSON. */
  private readonly stored: ListFacts | undefined;
  private readonly limit: ItemLimit;

  /**
   * @param given the type of the items. Default: what the database's list suggests; in a JSON column any value but null
   * @param options `maximumItems`: how many items a client may send. Default 10,000; 0 lifts the limit
   */
  constructor(
    private readonly given?: ColumnType,
    options: ItemOptions = {},
  ) {
    super();
    if (given !== undefined) checkArguments('ListColumn', { items: [given, columnTypeCheck] });
    this.limit = new ItemLimit(this.name, options, customaryItems);
    this.items = given ?? new JsonColumn();
    this.schema = listOf(this.items);
  }

  override get inputSchema(): JsonSchema {
    return { type: 'array', items: this.items.inputSchema, ...this.limit.keywords };
  }

  complaint(value: unknown): string | undefined {
    if (!Array.isArray(value)) return notListMessage;
    const tooMany = this.limit.complaint(value);
    if (tooMany !== undefined) return tooMany;
    for (const item of value as unknown[]) {
      const complaint = this.items.complaint(item) ?? (item === null ? notListMessage : undefined);
      if (complaint !== undefined) return complaint;
    }
    return isStorableJson(value) && this.isReadBack(value) ? undefined : notStorableMessage;
  }

  /** Text of a path or query string is JSON. */
  override fromText(text: string): unknown {
    return jsonOrText(text);
  }

  override toDatabase(value: unknown): DatabaseValue {
    return this.stored?.write(this.databaseItems(value)) ?? JSON.stringify(this.toEntity(value));
  }

  /** In JSON, items are kept as they are written, because nothing reads them through their type again. */
  override toEntity(value: unknown): unknown {
    const items = this.databaseItems(value);
    if (this.stored !== undefined) return items;
    return items.map((item) => JSON.parse(this.items.toWire(item)) as unknown);
  }

  toWire(value: unknown): string {
    if (typeof value !== 'string') return this.written(value as readonly unknown[]);
    return this.stored === undefined ? value : this.written(this.stored.read(value));
  }

  /** A list of the database is recorded as a JSON array, or as the text that the database has for it. */
  override fromRecorded(json: unknown, exact: unknown = json): unknown {
    const isList = this.stored !== undefined && (Array.isArray(json) || typeof json === 'string');
    return isList ? withNumberTexts(exact) : super.fromRecorded(json, exact);
  }

  override misfit({ list, holdsJson = false }: ColumnFacts): string | undefined {
    return list === undefined && !holdsJson ? 'the property holds neither a list nor JSON' : undefined;
  }

  override narrow({ list, suggested }: ColumnFacts): this {
    const given = this.given ?? (suggested instanceof ListColumn ? suggested.items : this.items);
    const items = (list === undefined ? undefined : given.narrow?.(list.items)) ?? given;
    return this.with({ stored: list, items, schema: listOf(items) });
  }

  /** An instant in a list is text, as MikroORM hands it over from there. */
  private databaseItems(value: unknown): DatabaseValue[] {
    return (value as readonly unknown[]).map((item) => {
      const bound = this.items.toDatabase(item);
      return bound instanceof Date ? bound.toISOString() : bound;
    });
  }

  /** An item is null that is a list itself, as in an array of several dimensions: the type of the items knows none. */
  private written(items: readonly unknown[]): string {
    const text = (item: unknown): string =>
      item === null || Array.isArray(item) ? 'null' : this.items.toWire(item);
    return `[${items.map(text).join(',')}]`;
  }

  /** Not every database tells all lists apart: joined text has one form for `[]` and `[""]`. */
  private isReadBack(value: readonly unknown[]): boolean {
    if (this.stored === undefined) return true;
    const items = this.databaseItems(value);
    return this.written(this.stored.read(this.stored.write(items))) === this.written(items);
  }
}

/**
 * Makes the schema of a list. Its items may be null: nobody writes one through the service, but the database may hold
 * some.
 */
function listOf(items: ColumnType): JsonSchema {
  return { type: 'array', items: orNull(items.schema) };
}

const notListMessage = 'value should be a list';
