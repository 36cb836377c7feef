import {
  ReferenceKind,
  type EntityMetadata,
  type EntityProperty,
  type MetadataStorage,
} from '@mikro-orm/core';
import { softEntityOf } from '../../model/soft/soft.entity.js';
import { definitionsOf } from '../../model/column.definition.js';
import { casings } from '../../wire/casing.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { hiddenReason } from '../hidden.property.js';
import { partingPropertiesOf } from '../keys/key.property.js';
import { columnNameOf } from '../property.column.js';
import { storedFields } from '../stored.fields.js';
import { changeMetadata } from './change.record.js';
import { recordedAs, type RecordedOptions } from './recorded.options.js';

/** A property whose changes are recorded. */
export interface RecordedColumn {
  readonly property: EntityProperty;
  readonly fields: readonly string[];
  /** True if the log has its name alone, and never a value. */
  readonly isWithheld: boolean;
}

/** An entity whose changes are recorded. Made when the application starts. */
export interface RecordedEntity {
  readonly meta: EntityMetadata;
  /** The name of the entity in the log. */
  readonly name: string;
  readonly options: RecordedOptions;
  readonly columns: readonly RecordedColumn[];
  readonly key: EntityProperty;
  /** The property that tells the part of a record and of its changes; undefined where the log is whole. */
  readonly part: EntityProperty | undefined;
  /** The property that marks deleted records; undefined where rows are deleted. */
  readonly tombstone: EntityProperty | undefined;
}

/**
 * The entities that {@link recordChanges} was called for.
 *
 * @throws ConfigurationError for an entity that is not one table with one key, and for columns that it has not
 */
export function recordedEntities(metadata: MetadataStorage): ReadonlyMap<EntityMetadata, RecordedEntity> {
  const all = new Map<EntityMetadata, RecordedEntity>();
  const log = changeMetadata(metadata);
  const [logPart] = log === undefined ? [] : partingPropertiesOf(log);
  for (const meta of metadata.getAll().values()) {
    const known = recordedAs(meta.class);
    if (known === undefined) continue;
    const owned = metadata.find(known.owner as EntityMetadata['class']) ?? meta;
    all.set(meta, recordedEntity(meta, owned.className, known.options, logPart?.name));
  }
  return all;
}

function recordedEntity(
  meta: EntityMetadata,
  name: string,
  options: RecordedOptions,
  logPart: string | undefined,
): RecordedEntity {
  const owner = `recordChanges(${name})`;
  const refuse = (option: string, problem: string): never => {
    throw new ConfigurationError(owner, option, problem);
  };
  const key = meta.getPrimaryProps().at(-1);
  const [part, ...more] = partingPropertiesOf(meta);
  if (key === undefined || more.length > 0 || storedFields(key).length !== 1 || part?.name !== logPart)
    return refuse('entity', `${meta.className} has ${keyProblem(logPart)}`);
  if (meta.virtual === true || meta.view === true || meta.inheritanceType === 'tpt')
    return refuse('entity', `${meta.className} is not stored in one table`);
  const stored = meta.props.filter(isStored);
  const { columns = 'all', values = true } = options;
  const names = stored.map(({ name: own }) => own);
  if (columns !== 'all') {
    const unknown = columns.find((one) => !names.includes(one));
    if (unknown !== undefined && meta.root === meta)
      refuse('columns', `'${unknown}' is no column of ${meta.className}; allowed: ${names.join(', ')}`);
  }
  const sensitive = sensitiveNames(meta);
  const isWithheld = (property: EntityProperty): boolean =>
    !values || hiddenReason(meta, property) !== undefined || isSensitive(property, sensitive);
  const tombstone = softEntityOf(meta)?.property;
  return {
    meta,
    name,
    options,
    key,
    part,
    tombstone,
    columns: stored
      // A deletion by a mark is one of the record, whatever is recorded of it.
      .filter((one) => columns === 'all' || columns.includes(one.name) || one === tombstone)
      .map((property) => ({ property, fields: storedFields(property), isWithheld: isWithheld(property) })),
  };
}

function keyProblem(logPart: string | undefined): string {
  if (logPart !== undefined)
    return `no key of '${logPart}' and an id, as the log has: see partedChangeRecord`;
  return 'no key of one column; one of a tenant and an id needs partedChangeRecord instead of ChangeRecord';
}

/** The names of columns that are sensitive, as they are defined: `phone`, `countryId`, `address.street`. */
function sensitiveNames(meta: EntityMetadata): readonly string[] {
  return [...definitionsOf(meta.class)].flatMap(([name, { sensitive }]) =>
    sensitive === true ? [name] : [],
  );
}

/** True if a property is sensitive under any name that a column of it has, or has a sensitive member. */
function isSensitive(property: EntityProperty, sensitive: readonly string[]): boolean {
  const names = casings.flatMap((casing) => columnNameOf(property, casing) ?? []);
  return [property.name, ...names].some((own) =>
    sensitive.some((name) => name === own || name.startsWith(`${own}.`)),
  );
}

/** True if a property is stored in the entity's own table. */
function isStored(property: EntityProperty): boolean {
  const { kind, owner, persist, formula, object } = property;
  const isOwn =
    kind === ReferenceKind.SCALAR ||
    kind === ReferenceKind.MANY_TO_ONE ||
    (kind === ReferenceKind.ONE_TO_ONE && owner) ||
    (kind === ReferenceKind.EMBEDDED && object === true);
  return isOwn && persist !== false && formula === undefined && storedFields(property).length > 0;
}
