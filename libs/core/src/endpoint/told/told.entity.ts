import type { EntityName, MikroORM } from '@mikro-orm/core';
import type { Column } from '../../model/column.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import type { Change } from '../../records/changes/read.changes.js';
import { recordedWire } from '../../records/changes/recorded.value.js';
import type { Casing } from '../../wire/casing.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { NameTable } from '../../wire/name.table.js';
import { storageOf } from '../storage.js';
import { ChangeAudience, type AudienceOptions } from './change.audience.js';

/** The changes of an entity that others are told of. */
export interface ToldOptions {
  /** The owner of the options, as error messages call it. */
  readonly owner: string;
  readonly model: EntityName;
  /** The columns whose values are told. */
  readonly show: readonly string[];
  readonly externalCasing: Casing;
}

/** An entity of whose changes others are told, under the names of the wire. Made when the application starts. */
export class ToldEntity {
  /** The name of the entity in the log. */
  readonly name: string;
  readonly #model: Model;
  readonly #names: NameTable;
  readonly #shown: readonly Column[];
  /** The columns that clients may see, by the property that they are kept in. */
  readonly #visible: ReadonlyMap<string, Column>;

  /** @throws ConfigurationError for an entity that is not recorded, and for columns whose values the log has not */
  constructor(
    private readonly orm: MikroORM,
    { owner, model: entity, show, externalCasing }: ToldOptions,
  ) {
    const { database, models } = storageOf(orm);
    const casing = models.casingOf(entity, owner, show);
    this.#model = models.modelOf(entity, owner, { casing, partition: undefined });
    this.#names = new NameTable(casing, externalCasing);
    const target = database.changes?.of(this.#model.meta);
    const { className } = this.#model.meta;
    if (target === undefined) {
      const problem = `changes of ${className} are not recorded; call recordChanges(${className}, …)`;
      throw new ConfigurationError(owner, 'model', problem);
    }
    this.name = target.entity.name;
    const own = [...this.#model.columns.values()].filter(({ member }) => member === undefined);
    const recorded = new Map(target.entity.columns.map((one) => [one.property.name, one]));
    const visible = own.filter(
      ({ hiddenBecause, property }) => hiddenBecause === undefined && recorded.has(property.name),
    );
    this.#visible = new Map(visible.map((column) => [column.property.name, column]));
    this.#shown = show.map((name) => {
      const refuse = (problem: string): never => {
        throw new ConfigurationError(owner, 'show', `'${name}' ${problem}`);
      };
      const column = own.find((one) => one.name === name);
      if (column === undefined) return refuse(`is no column of ${className} itself`);
      if (column.hiddenBecause !== undefined) return refuse(column.hiddenBecause);
      if (column === this.#model.idColumn) return column;
      const known = recorded.get(column.property.name);
      if (known === undefined) return refuse('is not recorded');
      return known.isWithheld ? refuse('is kept from the log: it has no values of it') : column;
    });
  }

  /** The rights of listeners to hear of its changes. @throws ConfigurationError */
  audience(options: AudienceOptions): ChangeAudience {
    return new ChangeAudience(storageOf(this.orm).database, this.#model, options);
  }

  /** The key of a record as clients know it, as JSON. */
  keyOf({ recordId }: Change): string {
    return this.#wire(this.#model.idColumn, recordId) ?? JSON.stringify(recordId);
  }

  /** The name of the key on the wire. */
  get keyName(): string {
    return this.#names.outward(this.#model.idColumn.name);
  }

  /** The names of the columns that a change is about, without those that nobody may see. */
  changedBy({ before, after, withheld }: Change): readonly string[] {
    const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {}), ...withheld]);
    return [...names].flatMap((name) => {
      const column = this.#visible.get(name);
      return column === undefined ? [] : [this.#names.outward(column.name)];
    });
  }

  /** The values of that change, each a name and its JSON: as they became. */
  shownOf({ after, recordId }: Change): readonly (readonly [name: string, json: string])[] {
    return this.#shown.flatMap((column) => {
      const { name } = column.property;
      const isKey = column === this.#model.idColumn;
      if (!isKey && (after === null || !Object.hasOwn(after, name))) return [];
      const wire = this.#wire(column, isKey ? recordId : after?.[name]);
      return wire === undefined ? [] : [[this.#names.outward(column.name), wire] as const];
    });
  }

  /** The schemas of the columns that are shown, by their names on the wire. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    const all = [this.#model.idColumn, ...this.#shown];
    return Object.fromEntries(all.map((column) => [this.#names.outward(column.name), column.type.schema]));
  }

  /** A word of ours in the casing of the wire. */
  word(name: string): string {
    return this.#names.control(name);
  }

  #wire(column: Column, json: unknown): string | undefined {
    const text = json === null || json === undefined ? null : textOf(json);
    return recordedWire(column, { text, json, exact: json }, this.orm.em.getPlatform());
  }
}

function textOf(json: unknown): string {
  return typeof json === 'string' ? json : JSON.stringify(json);
}
