import type { Platform } from '@mikro-orm/core';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { Column } from '../../model/column.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { RecordChange } from '../../records/changes/record.history.js';
import { toldWire, type RecordedValue } from '../../records/changes/recorded.value.js';

/** The options that say what is shown of a change beside its values. */
interface ShownOfChange {
  readonly showsActor?: boolean | undefined;
  readonly showsContext?: boolean | undefined;
}

/** Writes changes as JSON text. Made once per endpoint. */
export class ChangeWriter {
  readonly #platform: Platform;
  readonly #word: (word: string) => string;
  readonly #columns: readonly (readonly [key: string, column: Column])[];

  constructor(
    context: KindContext,
    columns: readonly Column[],
    private readonly shown: ShownOfChange,
  ) {
    this.#platform = context.database.dialect.platform;
    this.#word = (word) => context.names.control(word);
    this.#columns = columns.map((column) => [JSON.stringify(context.names.outward(column.name)), column]);
  }

  /** The schema of a change. */
  get schema(): JsonSchema {
    const word = this.#word;
    const { showsActor = false, showsContext = false } = this.shown;
    // A value is told as it was recorded, whatever its column takes today.
    const change: JsonSchema = {
      type: 'object',
      properties: { [word('before')]: {}, [word('after')]: {} },
      additionalProperties: false,
    };
    const properties: Record<string, JsonSchema> = {
      [word('id')]: { type: 'string' },
      [word('at')]: { type: 'string', format: 'date-time' },
      [word('operation')]: { type: 'string', enum: ['created', 'updated', 'deleted', 'restored'] },
      [word('request_id')]: { type: ['string', 'null'] },
      ...(showsActor ? { [word('actor')]: { type: ['string', 'null'] } } : {}),
      ...(showsContext ? { [word('context')]: { type: ['object', 'null'] } } : {}),
      [word('changes')]: {
        type: 'object',
        properties: Object.fromEntries(
          this.#columns.map(([key]) => [JSON.parse(key) as string, change] as const),
        ),
        additionalProperties: false,
      },
    };
    return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  }

  /** The JSON text of a change. Nothing is told of a record before it became visible. */
  write(change: RecordChange): string {
    const { id, at, operation, requestId, actor, context } = change;
    const { showsActor = false, showsContext = false } = this.shown;
    const members: [word: string, json: string][] = [
      ['id', JSON.stringify(id)],
      ['at', JSON.stringify(at)],
      ['operation', JSON.stringify(operation)],
      ['request_id', JSON.stringify(requestId)],
    ];
    if (showsActor) members.push(['actor', JSON.stringify(actor)]);
    if (showsContext) members.push(['context', context ?? 'null']);
    members.push(['changes', `{${this.#changes(change).join(',')}}`]);
    return `{${members.map(([word, json]) => `${JSON.stringify(this.#word(word))}:${json}`).join(',')}}`;
  }

  #changes({ before, after, withheld, isFirst }: RecordChange): readonly string[] {
    return this.#columns.flatMap(([key, column]) => {
      const { name } = column.property;
      if (!before.has(name) && !after.has(name)) return withheld.includes(name) ? [`${key}:{}`] : [];
      const sides = [
        ...this.#side('before', column, isFirst ? undefined : before.get(name)),
        ...this.#side('after', column, after.get(name)),
      ];
      return [`${key}:{${sides.join(',')}}`];
    });
  }

  #side(word: string, column: Column, value: RecordedValue | undefined): readonly string[] {
    if (value === undefined) return [];
    return [`${JSON.stringify(this.#word(word))}:${toldWire(column, value, this.#platform)}`];
  }
}
