import {
  ReferenceKind,
  type EntityMetadata,
  type EntityProperty,
  type MetadataStorage,
} from '@mikro-orm/core';
import type { ChildrenRule } from '../../model/soft/soft.delete.js';
import { softEntityOf, type SoftEntity } from '../../model/soft/soft.entity.js';
import { ConfigurationError, oneOf } from '../../wire/configuration.error.js';
import { didYouMean } from '../../options/nearest.name.js';

/** Records that refer to those of an entity, and what becomes of them when one of those is deleted. */
export interface SoftChild {
  readonly meta: EntityMetadata;
  /** The property of theirs that holds the key. */
  readonly owner: EntityProperty;
  readonly rule: ChildrenRule;
  /** Undefined for records that are deleted for good. */
  readonly soft: SoftEntity | undefined;
}

/** Records that those of an entity refer to, and that may be deleted by a mark. */
export interface SoftParent {
  readonly meta: EntityMetadata;
  /** The property that holds their key. */
  readonly property: EntityProperty;
  readonly soft: SoftEntity;
}

/** An entity whose records are deleted by a mark, with the records that this concerns. */
export interface SoftFamily {
  readonly meta: EntityMetadata;
  readonly soft: SoftEntity;
  readonly children: readonly SoftChild[];
  /** The parents that no live record may be without. */
  readonly parents: readonly SoftParent[];
}

const known = new WeakMap<EntityMetadata, SoftFamily>();

/**
 * The family of an entity; undefined where its records are deleted for good.
 * @throws ConfigurationError where nobody says what becomes of records that refer to a deleted one
 */
export function softFamilyOf(meta: EntityMetadata, all: MetadataStorage): SoftFamily | undefined {
  const soft = softEntityOf(meta);
  const family = known.get(meta) ?? (soft && made(meta, soft, all));
  if (family !== undefined) known.set(meta, family);
  return family;
}

function made(meta: EntityMetadata, soft: SoftEntity, all: MetadataStorage): SoftFamily {
  const references = [...all.getAll().values()].flatMap((other) => referencesOf(other, meta));
  const inverses = references.flatMap((reference) => inverseOf(meta, reference)?.name ?? []);
  for (const name of Object.keys(soft.options.children ?? {}))
    if (!inverses.includes(name)) {
      const problem = `no records refer to ${meta.className} by '${name}'${didYouMean(name, inverses)}; ${oneOf(inverses)}`;
      throw new ConfigurationError(`softDelete(${meta.className})`, 'children', problem);
    }
  return {
    meta,
    soft,
    children: references.map((reference) => childOf(meta, soft, reference)),
    parents: ownReferences(meta).flatMap((property) => parentsIn(meta, property)),
  };
}

interface Reference {
  readonly meta: EntityMetadata;
  readonly property: EntityProperty;
}

function parentsIn(meta: EntityMetadata, property: EntityProperty): readonly SoftParent[] {
  const { targetMeta: parent } = property;
  const soft = parent && softEntityOf(parent);
  if (parent === undefined || soft === undefined) return [];
  const { rule } = childOf(parent, soft, { meta, property });
  return rule === 'keep' ? [] : [{ meta: parent, property, soft }];
}

function ownReferences(meta: EntityMetadata): readonly EntityProperty[] {
  return meta.relations.filter(({ kind, owner, persist, fieldNames }) => {
    const isKey = kind === ReferenceKind.MANY_TO_ONE || (kind === ReferenceKind.ONE_TO_ONE && owner);
    return isKey && persist !== false && fieldNames.length === 1;
  });
}

function referencesOf(other: EntityMetadata, meta: EntityMetadata): readonly Reference[] {
  if (other.pivotTable === true || other.embeddable || other.virtual === true) return [];
  return ownReferences(other)
    .filter(({ name, targetMeta }) => {
      const isInherited = other !== other.root && Object.hasOwn(other.root.properties, name);
      return targetMeta?.root.class === meta.root.class && !isInherited;
    })
    .map((property) => ({ meta: other, property }));
}

function childOf(meta: EntityMetadata, soft: SoftEntity, reference: Reference): SoftChild {
  const { meta: child, property } = reference;
  const name = inverseOf(meta, reference)?.name;
  const childSoft = softEntityOf(child);
  const said = name === undefined ? undefined : soft.options.children?.[name];
  const rule = said ?? usualRule(property, childSoft, name !== undefined);
  const refuse = (problem: string): never => {
    throw new ConfigurationError(`softDelete(${meta.className})`, 'children', problem);
  };
  if (rule === undefined)
    return refuse(
      `say what becomes of '${name ?? ''}', whose foreign key says '${property.deleteRule ?? ''}'; allowed: refuse, cascade, keep`,
    );
  if (rule === 'cascade' && childSoft === undefined)
    return refuse(`'${name ?? ''}' cannot cascade: ${child.className} is not deleted by a mark`);
  if (rule === 'cascade' && childSoft?.property.columnTypes[0] !== soft.property.columnTypes[0])
    return refuse(
      `'${name ?? ''}' cannot cascade: '${childSoft?.property.name ?? ''}' of ${child.className} has another type than '${soft.property.name}'`,
    );
  return { meta: child, owner: property, rule, soft: childSoft };
}

/** The rule that the foreign key has when a record is deleted for good. A side that nobody has named cannot be said anything of. */
function usualRule(
  { deleteRule }: EntityProperty,
  child: SoftEntity | undefined,
  isNamed: boolean,
): ChildrenRule | undefined {
  const rule = deleteRule?.toLowerCase() ?? 'restrict';
  if (rule === 'restrict' || rule === 'no action') return 'refuse';
  if (rule === 'cascade' && child !== undefined) return 'cascade';
  return isNamed ? undefined : 'keep';
}

/** The property by which a record knows those that refer to it. */
function inverseOf(meta: EntityMetadata, { meta: child, property }: Reference): EntityProperty | undefined {
  return meta.relations.find(
    ({ mappedBy, targetMeta }) => mappedBy === property.name && targetMeta?.root.class === child.root.class,
  );
}
