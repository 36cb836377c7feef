import type { Resource } from '@nest-endpoints/client';
import type { ValueSort } from './schema.view.js';

/** A column as screens show it. */
export interface ScreenColumn {
  readonly name: string;
  readonly label: string;
  readonly sort: ValueSort;
  readonly isRequired: boolean;
  /** True if a record may have no value of it. */
  readonly isNullable: boolean;
  readonly isCreatable: boolean;
  readonly isUpdatable: boolean;
  readonly isSortable: boolean;
  readonly operators: readonly string[];
  readonly choices: readonly (string | number)[];
  readonly initial: unknown;
  /** The name of the records that it refers to; undefined for none. */
  readonly reference: string | undefined;
}

/** Records that are written together with those around them. */
export interface NestedRecords {
  /** The member of bodies: `stops`. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly ScreenColumn[];
  /** The name of the records by themselves, where a form finds those that there are; undefined where there are none. */
  readonly resource: string | undefined;
  /** The column of theirs that has the key of the record around. */
  readonly target: string;
  readonly isCreatable: boolean;
  /** What bodies call a record by, and where records of the list have it. */
  readonly keyName: string;
  readonly shownKey: string;
  /** What bodies call the version that a record must be in; undefined where they do not say it. */
  readonly versionName: string | undefined;
  /** True if nothing is changed without a version. A deletion cannot say one. */
  readonly needsVersion: boolean;
  /** The operations that an Update knows: `create`, `update`, `delete`. */
  readonly operations: readonly string[];
}

/** The columns that are shown to whoever asks for them: by where screens need them. */
export interface IncludedColumns {
  /** In a form. */
  readonly one: readonly string[];
  readonly listed: readonly string[];
  /** Where other records refer to them. */
  readonly many: readonly string[];
  /** In the trash. */
  readonly deleted: readonly string[];
}

/** The trash of some records. */
export interface Trash {
  readonly name: string;
  readonly canRestore: boolean;
  readonly canPurge: boolean;
}

/** All that the screens of some records need to know. */
export interface Screen {
  readonly name: string;
  readonly label: string;
  readonly resource: Resource;
  /** The columns that a list shows. */
  readonly listed: readonly ScreenColumn[];
  /** The columns that forms have. */
  readonly written: readonly ScreenColumn[];
  /** The columns that records can be looked for by. */
  readonly searched: readonly ScreenColumn[];
  /** The columns that a record shows and nobody writes. */
  readonly shown: readonly ScreenColumn[];
  readonly nested: readonly NestedRecords[];
  readonly included: IncludedColumns;
  readonly trash: Trash | undefined;
  readonly hasHistory: boolean;
  /** The column that records are called by. */
  readonly representation: string;
  readonly order: { readonly field: string; readonly order: 'ASC' | 'DESC' };
  /** The column of the one text that is looked for, exactly, where no words can be; undefined for none. */
  readonly exactly: string | undefined;
  readonly hasWords: boolean;
}

/** The value of a column, parents included. */
export function valueOf(record: object, path: string): unknown {
  if (Object.hasOwn(record, path)) return Reflect.get(record, path);
  return path.split('.').reduce<unknown>((value, member) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    return Reflect.get(value, member) as unknown;
  }, record);
}

/** The text that a record is called by. */
export function nameOf(screen: Screen, record: object): string {
  return wordOf(valueOf(record, screen.representation)) || keyOf(record);
}

/** The text that a record is called by among others, which may have the same name: its key tells it apart. */
export function labelOf(screen: Screen, record: object): string {
  const [name, key] = [nameOf(screen, record), keyOf(record)];
  if (key === '' || name === key) return name;
  // The last part of a long key: those of the same time begin alike.
  return `${name} · ${key.length > 12 ? `…${key.slice(-8)}` : key}`;
}

function keyOf(record: object): string {
  return wordOf(valueOf(record, 'id'));
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
