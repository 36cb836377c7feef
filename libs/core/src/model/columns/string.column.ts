import { ColumnType, type ColumnFacts } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { jsonString } from '../../wire/json.text.js';
import { characters } from '../values/characters.js';
import { isStorable, notStorableMessage } from '../values/storable.text.js';

/** Text, kept as it is; in `char(n)` as the database fills it up, or cuts it, with blanks that say nothing. */
export class StringColumn extends ColumnType {
  readonly name: string = 'String';
  override readonly isText = true;
  readonly schema: JsonSchema = { type: 'string' };

  /** The length that texts are filled up to with blanks; 0 where blanks at the end are cut, undefined where they count. */
  private readonly filledTo: number | undefined = undefined;

  complaint(value: unknown): string | undefined {
    if (typeof value !== 'string') return 'value should be a string';
    return isStorable(value) ? undefined : notStorableMessage;
  }

  override toDatabase(value: unknown): string {
    if (this.filledTo === undefined) return value as string;
    const text = withoutBlanks(String(value));
    const missing = this.filledTo - characters(text);
    return missing > 0 ? text + ' '.repeat(missing) : text;
  }

  override keyText(value: unknown): string {
    return this.toWire(this.filledTo === undefined ? value : withoutBlanks(String(value)));
  }

  toWire(value: unknown): string {
    return jsonString(typeof value === 'string' ? value : String(value));
  }

  override narrow({ blanks, length = 1 }: ColumnFacts): this {
    return blanks === undefined ? this : this.with({ filledTo: blanks === 'fill' ? length : 0 });
  }
}

/** Counted from the end: a pattern would try each blank of a long text from a client. */
function withoutBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}
