import type { Compilation } from '../endpoint/compilation.js';
import { typeComplaint, type Column } from '../model/column.js';
import { VersionColumn } from '../model/columns/version.column.js';
import type { ColumnPath, Model } from '../model/model.js';
import type { Condition, SelectedColumn } from '../query/query.plan.js';
import type { RecordKey, TextReading } from '../records/record.store.js';
import type { Session } from '../records/session.js';
import { NameTable } from '../wire/name.table.js';

const ownNames = new NameTable('snake_case', 'snake_case');

/** The version that MikroORM keeps of a model's records. Made once per endpoint. */
export class RecordVersion {
  /** Reads it as text. Its name is none that a column has, so that both can be read of one row. */
  readonly selected: SelectedColumn;
  readonly #path: ColumnPath;
  readonly #reading: TextReading;

  private constructor(compilation: Compilation, model: Model, column: Column) {
    const { name } = column;
    this.#path = { text: name, relations: [], column };
    const asText = { ...column, type: new VersionColumn(), conversion: undefined };
    this.selected = {
      kind: 'column',
      name: 'version',
      path: { text: `${name}#version`, relations: [], column: asText },
    };
    this.#reading = compilation.store(model).texts([this.selected], ownNames);
  }

  /** Undefined for a model whose records have no version, or are in a backend of the user's own. */
  static of(compilation: Compilation, model: Model): RecordVersion | undefined {
    const column = versionColumnOf(model);
    if (column === undefined || !compilation.store(model).knowsSql) return undefined;
    return new RecordVersion(compilation, model, column);
  }

  /** Whether records of a model have one. */
  static isKept(compilation: Compilation, model: Model): boolean {
    return versionColumnOf(model) !== undefined && compilation.store(model).knowsSql;
  }

  /** The version of a stored record as text; undefined where it has none. */
  async of(session: Session, id: RecordKey): Promise<string | undefined> {
    const text = await this.#reading.readBack(session, id);
    return (JSON.parse(text ?? '{}') as { readonly version?: string | null }).version ?? undefined;
  }

  /** Demands one of some versions of a record; undefined where none of the texts can be one. */
  among(texts: readonly string[]): Condition | undefined {
    const { column } = this.#path;
    const possible = texts.flatMap((text) => {
      const value = column.type.fromText(text);
      // One spelling alone is a version's: `01` is none.
      return typeComplaint(column, value) === undefined && String(value) === text ? [value] : [];
    });
    return possible.length === 0 ? undefined : { path: this.#path, comparison: 'in', value: possible };
  }
}

function versionColumnOf({ meta, columns }: Model): Column | undefined {
  return [...columns.values()].find(({ property }) => property.name === meta.versionProperty);
}
