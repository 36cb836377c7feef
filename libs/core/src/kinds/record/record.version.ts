import type { KindContext } from '../../endpoint/kind.context.js';
import type { Column } from '../../model/column.js';
import type { ColumnPath, Model } from '../../model/model.js';
import type { Condition, SelectedColumn, SelectedValue } from '../../query/query.plan.js';
import { recordKeyText } from '../../records/record.key.js';
import type { RecordKey, RecordReading } from '../../records/record.store.js';
import { plainValueOf } from '../../sql/plain.row.js';
import type { Row, RowLayout } from '../../sql/row.layout.js';
import type { Session } from '../../visibility/session.js';

/** The number of characters of a hash behind a version in an entity tag: 128 bits and a few more. */
export const hashLength = 22;

/** The version that MikroORM keeps of a model's records. Made once per endpoint. */
export class RecordVersion {
  /** Read beside what is shown, as text: a driver would cut the digits of a time that JavaScript has no room for. */
  readonly selected: SelectedValue;
  readonly #path: ColumnPath;
  readonly #reading: RecordReading;
  readonly #keyOf: (row: Row) => unknown;
  readonly #idColumn: Column;

  private constructor(context: KindContext, model: Model, column: Column) {
    const { name } = column;
    this.#path = { text: name, relations: [], column };
    const stored = { ...column, conversion: undefined };
    this.selected = {
      kind: 'value',
      name: 'version',
      path: { text: `${name}#version`, relations: [], column: stored, asText: true },
      toWire: (version) => `"${versionText(version)}"`,
    };
    const { idPath } = model;
    this.#idColumn = idPath.column;
    const key: SelectedColumn = { kind: 'column', name: idPath.text, path: idPath };
    this.#reading = context.store(model).reading([this.selected, key]);
    this.#keyOf = plainValueOf(key, this.#reading.layout, context.database.dialect.platform);
  }

  /** Undefined for a model whose records have no version, or are in a backend of the user's own. */
  static of(context: KindContext, model: Model): RecordVersion | undefined {
    const column = versionColumnOf(model);
    if (column === undefined || !context.store(model).knowsSql) return undefined;
    return new RecordVersion(context, model, column);
  }

  /** The version of a stored record as text; undefined where it has none. */
  async of(session: Session, id: RecordKey): Promise<string | undefined> {
    const row = await this.#reading.readBack(session, id);
    return row === undefined ? undefined : this.within(this.#reading.layout)(row);
  }

  /** The versions of stored records, by their keys. */
  async ofAll(session: Session, ids: readonly RecordKey[]): Promise<(id: RecordKey) => string | undefined> {
    const rows = await this.#reading.readBackAll(session, ids);
    const versionIn = this.within(this.#reading.layout);
    const textOf = (key: unknown): string => recordKeyText(this.#idColumn, key);
    const all = new Map(rows.map((row) => [textOf(this.#keyOf(row)), versionIn(row)]));
    return (id) => all.get(textOf(id));
  }

  /** The version in rows of a selection with {@link selected} in it; undefined in those that have none. */
  within(layout: RowLayout): (row: Row) => string | undefined {
    const position = layout.at(this.selected.path);
    return ({ [position]: stored }) =>
      stored === null || stored === undefined ? undefined : versionText(stored);
  }

  /** The version in such rows, with the quotes of an entity tag. */
  quotedWithin(layout: RowLayout): (row: Row) => string | undefined {
    const position = layout.at(this.selected.path);
    return ({ [position]: stored }) =>
      stored === null || stored === undefined ? undefined : `"${versionText(stored)}"`;
  }

  /** Demands one of some versions of a record; undefined where none of the texts can be one. */
  among(texts: readonly string[]): Condition | undefined {
    const { column } = this.#path;
    const possible: unknown[] = [];
    for (const text of texts) {
      const value = column.type.fromText(text);
      // One spelling alone is a version's: `01` is none.
      if (column.type.complaint(value) === undefined && String(value) === text) possible.push(value);
    }
    const [value] = possible;
    if (value === undefined) return undefined;
    return possible.length === 1
      ? { path: this.#path, comparison: '=', value }
      : { path: this.#path, comparison: 'in', value: possible };
  }
}

function versionColumnOf({ meta, columns }: Model): Column | undefined {
  return [...columns.values()].find(({ property }) => property.name === meta.versionProperty);
}

const time = /^(\d{4,}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:Z|([+-]\d{2})(?::?(\d{2}))?)?$/;

/**
 * A version as part of an entity tag: all that the database knows of it, and nothing that a tag could not hold. Digits
 * of a number; a time as `20270101T103000.123456Z`. No hyphens, which set the version apart in a tag.
 */
function versionText(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value);
  if (/^-?\d+$/.test(text)) return text;
  const [, date = '', clock = '', fraction = '', hours = '+00', minutes = '00'] = time.exec(text) ?? [];
  // Nothing that counts: an `infinity`, say.
  if (date === '') return Buffer.from(text).toString('hex');
  const isUtc = hours.slice(1) === '00' && minutes === '00';
  const whole = isUtc ? `${date}T${clock}` : shifted(`${date}T${clock}${hours}:${minutes}`);
  const digits = fraction.replace(/0+$/, '');
  return `${whole.replaceAll(/[-:]/g, '')}${digits === '' ? '' : `.${digits}`}Z`;
}

/** An instant of the version, as a second in UTC. */
function shifted(text: string): string {
  return new Date(Date.parse(text)).toISOString().slice(0, 19);
}

/** A version, and what may stand behind it. No version has a hyphen but the sign of a number. */
const versionOfTag = new RegExp(`^(-?[^-]+)(?:-[\\w-]{${hashLength}})?$`);

/** The version in an entity tag of ours; undefined in anybody else's. */
export function versionIn(tag: string): string | undefined {
  return versionOfTag.exec(tag)?.[1];
}
