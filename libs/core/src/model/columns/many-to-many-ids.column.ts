import { checkArguments } from '../../options/checked.arguments.js';
import { ColumnType, type DatabaseValue } from '../column.type.js';
import { columnTypeCheck } from '../column.type.check.js';
import { ItemLimit, type ItemOptions } from '../item.limit.js';
import type { JsonSchema } from '../json.schema.js';
import { jsonOrText } from '../values/json.or.text.js';

/** The default limit of keys in a list: each key costs a look-up of a record and a written row. */
const customaryKeys = 1000;

/** The keys of the records that a many-to-many relation leads to: a list in and out, without repeats. */
export class ManyToManyIdsColumn extends ColumnType {
  readonly name = 'ManyToManyIds';
  override readonly storage = 'links';
  readonly schema: JsonSchema;

  readonly #limit: ItemLimit;

  /** @param options `maximumItems`: how many keys a client may send. Default 1,000; 0 lifts the limit */
  constructor(
    readonly key: ColumnType,
    options: ItemOptions = {},
  ) {
    super();
    checkArguments('ManyToManyIdsColumn', { key: [key, columnTypeCheck] });
    this.#limit = new ItemLimit(this.name, options, customaryKeys);
    this.schema = { type: 'array', items: key.schema };
  }

  override get inputSchema(): JsonSchema {
    return { type: 'array', items: this.key.inputSchema, ...this.#limit.keywords };
  }

  complaint(value: unknown): string | undefined {
    if (!Array.isArray(value)) return 'value should be a list';
    const tooMany = this.#limit.complaint(value);
    if (tooMany !== undefined) return tooMany;
    for (const item of value) {
      const complaint = this.key.complaint(item);
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  }

  /** Text is JSON, as in a cell of an Import: `[1,2]`. */
  override fromText(text: string): unknown {
    return jsonOrText(text);
  }

  override toDatabase(): DatabaseValue {
    throw new TypeError('A list of keys is not stored in one column');
  }

  override toEntity(value: unknown): unknown {
    return [...new Set((value as unknown[]).map((key) => this.key.toEntity(key)))];
  }

  /** Each key on its own: the list around them is written where they are read. */
  toWire(value: unknown): string {
    return this.key.toWire(value);
  }
}
