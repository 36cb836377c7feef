import {
  helper,
  Reference,
  ReferenceKind,
  Utils,
  type EntityMetadata,
  type EntityProperty,
} from '@mikro-orm/core';
import type { RequestEntityManager } from '../../database/database.js';
import { keyPropertyOf, partingPropertiesOf } from '../../metadata/keys/key.property.js';
import { storedFields } from '../../metadata/stored.fields.js';
import type { StoredRecord } from '../record.store.js';

/** A relation to records with a key of several columns, and where the first of these come from. */
interface PartedRelation {
  readonly property: EntityProperty;
  readonly target: EntityMetadata;
  /** The properties of the record itself that are stored in the columns before the last. */
  readonly sources: readonly EntityProperty[];
}

type Data = Record<string, unknown>;

/**
 * Makes keys of several columns of those that clients send: all but the last value are those of the record that refers. Made once
 * for a model.
 */
export class PartedKeys {
  readonly #relations: readonly PartedRelation[];
  readonly #parting: readonly EntityProperty[];

  constructor(meta: EntityMetadata) {
    this.#parting = partingPropertiesOf(meta);
    this.#relations = meta.relations.flatMap((property) => partedRelation(meta, property) ?? []);
  }

  /** Replaces the keys in what is to be assigned to a record, in place. @param record where it is stored already */
  complete(em: RequestEntityManager, data: Data, record?: StoredRecord): Data {
    for (const { property, target, sources } of this.#relations) {
      const given = data[property.name];
      if (given === undefined || given === null) continue;
      const before = sources.map(({ name }) => keyOf(data[name] ?? (record && Reflect.get(record, name))));
      const whole = (key: unknown): unknown =>
        Utils.isEntity(key) ? key : em.getReference<object>(target.class, [...before, key] as never);
      data[property.name] = Array.isArray(given) ? given.map(whole) : whole(given);
    }
    return data;
  }

  /** The condition that all of some records meet, beside the last value of their keys. */
  sharedBy([record]: readonly StoredRecord[]): Data {
    const entries = this.#parting.map(({ name }) => [name, record && keyOf(Reflect.get(record, name))]);
    return Object.fromEntries(entries) as Data;
  }
}

function partedRelation(meta: EntityMetadata, property: EntityProperty): PartedRelation | undefined {
  const { kind, owner, targetMeta: target, joinColumns } = property;
  if (target === undefined || partingPropertiesOf(target).length === 0) return undefined;
  const isOwn = kind === ReferenceKind.MANY_TO_ONE || kind === ReferenceKind.MANY_TO_MANY || owner;
  if (!isOwn) return undefined;
  const sources = joinColumns.slice(0, -1).flatMap((column) => {
    return meta.props.find((one) => one !== property && storedFields(one)[0] === column) ?? [];
  });
  return sources.length === partingPropertiesOf(target).length ? { property, target, sources } : undefined;
}

/** The last value of the key of an entity; other values as they are. */
export function keyOf(value: unknown): unknown {
  const given: unknown = Reference.unwrapReference(value as object);
  if (!Utils.isEntity(given)) return given;
  return keyOf(Reflect.get(given, keyPropertyOf(helper(given).__meta).name));
}
