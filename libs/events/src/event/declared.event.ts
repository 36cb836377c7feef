import type { MikroORM } from '@mikro-orm/core';
import type { Casing, Change, ChangeOperation, JsonSchema } from '@nest-endpoints/core';
import { ToldEntity, type ChangeAudience } from '@nest-endpoints/core/internal';
import type { EventOptions } from './event.options.js';
import { ToldEvent } from './told.event.js';

/** The operations of changes. */
export const changeOperations = [
  'created',
  'updated',
  'deleted',
  'restored',
] as const satisfies readonly ChangeOperation[];

/** An event as it was declared, ready to be told. Made when the application starts. */
export class DeclaredEvent {
  readonly #entity: ToldEntity;
  readonly operations: readonly ChangeOperation[];
  /** The rights to hear of it; undefined where everybody may. */
  readonly audience: ChangeAudience | undefined;
  /** True if only subscriptions that code has made hear of it. */
  readonly isOfApplication: boolean;
  readonly #keyName: string;
  readonly #changedWord: string;

  /** @throws ConfigurationError */
  constructor(
    readonly name: string,
    orm: MikroORM,
    externalCasing: Casing,
    options: EventOptions,
  ) {
    const { model, on = changeOperations, show = [], authorization = 'none', narrowedBy, audience } = options;
    const owner = `EventsModule event '${name}'`;
    this.#entity = new ToldEntity(orm, { owner, model, show, externalCasing });
    this.operations = on;
    this.isOfApplication = audience === 'application';
    this.audience =
      authorization === 'none' || this.isOfApplication
        ? undefined
        : this.#entity.audience({ owner, authorization, narrowedBy });
    this.#keyName = this.#entity.keyName;
    this.#changedWord = this.#entity.word('changed');
  }

  /** The name of its entity in the log. */
  get model(): string {
    return this.#entity.name;
  }

  /** The source of its CloudEvents. */
  get source(): string {
    return `/${this.name}`;
  }

  /** The types that it has. */
  get types(): readonly string[] {
    return this.operations.map((operation) => `${this.name}.${operation}`);
  }

  /** The event of a change; undefined where it is none to tell: nothing has changed that anybody may see. */
  of(change: Change): ToldEvent | undefined {
    const { operation } = change;
    if (change.model !== this.#entity.name || !this.operations.includes(operation)) return undefined;
    const isUpdate = operation === 'updated';
    const changed = isUpdate ? this.#entity.changedBy(change) : [];
    if (isUpdate && changed.length === 0) return undefined;
    const members = new Map([[this.#keyName, this.#entity.keyOf(change)]]);
    if (isUpdate) members.set(this.#changedWord, JSON.stringify(changed));
    if (operation === 'deleted') {
      if (change.after !== null) members.set(this.#entity.word('soft'), 'true');
    } else for (const [name, json] of this.#entity.shownOf(change)) members.set(name, json);
    const text = [...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',');
    return new ToldEvent(this, change, `{${text}}`);
  }

  /** The schema of the data of one of its types. */
  schemaOf(operation: ChangeOperation): JsonSchema {
    const { [this.#keyName]: key, ...shown } = this.#entity.schemas;
    const texts = { type: 'array', items: { type: 'string' } } as const;
    const more =
      operation === 'deleted'
        ? { [this.#entity.word('soft')]: { type: 'boolean' } as const }
        : { ...(operation === 'updated' ? { [this.#changedWord]: texts } : {}), ...shown };
    return {
      type: 'object',
      properties: { ...(key === undefined ? {} : { [this.#keyName]: key }), ...more },
      required: [this.#keyName],
    };
  }
}
