import { ChangeLogSql, type RecordedTarget } from '../../sql/changes/change.log.sql.js';
import type { ChangeOrigin } from '../../sql/changes/change.origin.js';
import { arrayLiteral } from '../../sql/array.literal.js';
import { StatementWriter } from '../../sql/statement.js';
import type { DatabaseValue } from '../../model/column.type.js';
import type { TableSql } from '../../sql/table.sql.js';
import type { FlushedChange, LoggingDatabase } from './flushed.change.js';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { ChangeLog } from './change.log.js';
import { PlainLog } from './plain.log.js';
import { unwrittenLog } from './unwritten.log.js';

/** A change beside the record as it was. */
interface Known extends FlushedChange {
  /** The record as it was, as the database writes it in JSON. */
  readonly old: string | null;
}

/** Writes the log of a flush: one statement before it where records change or go, and one behind it. */
export class FlushedLog {
  readonly #plain: PlainLog;

  constructor(
    private readonly database: LoggingDatabase,
    private readonly changes: ChangeLog,
  ) {
    this.#plain = new PlainLog(database);
  }

  /** Looks at the records before they are written. @returns what is to be done behind it */
  async begin(
    em: SqlEntityManager,
    target: RecordedTarget,
    changed: readonly FlushedChange[],
  ): Promise<() => Promise<void>> {
    const { origin } = this.changes;
    const { dialect } = this.database;
    const own = this.database.tablesIn(em.schema);
    if (!dialect.hasCatalogue) return this.#plain.begin(em, target, changed, origin);
    const known = await this.#known(em, own, target, changed);
    return () => this.#write(em, own, target, known, origin);
  }

  /** Has a write told that goes past units of work, about records of known keys. */
  async around<T>(
    em: SqlEntityManager,
    target: RecordedTarget,
    sort: FlushedChange['sort'],
    keys: readonly unknown[],
    write: () => Promise<T>,
    part?: unknown,
  ): Promise<T> {
    const partOf = (): unknown => part;
    const changed = keys.map((key) => ({ sort, isEarly: false, before: key, keyOf: () => key, partOf }));
    const end = await this.begin(em, target, changed);
    const written = await write();
    await end();
    return written;
  }

  async #known(
    em: SqlEntityManager,
    tables: TableSql,
    { entity }: RecordedTarget,
    changed: readonly FlushedChange[],
  ): Promise<readonly Known[]> {
    const stored = changed.filter(({ sort }) => sort !== 'created');
    const fresh = changed.filter(({ sort }) => sort === 'created').map((one) => ({ ...one, old: null }));
    if (stored.length === 0) return fresh;
    const { dialect } = this.database;
    const writer = new StatementWriter(dialect);
    const keys = writer.parameter(() => arrayLiteral(stored.map(({ before }) => this.#text(before))));
    const key = tables.field('e', entity.key);
    const parts = this.#parts(writer, entity, stored);
    writer.write(`select g.nr, to_jsonb(e)::text from unnest(${keys}::text[]${parts.list}) with ordinality as g(id${parts.name}, nr)
      join ${tables.table(entity.meta)} as e on ${this.#isOf(key, 'g.id', entity.key)}${parts.joined(tables)} order by ${key} for update of e`);
    const rows = await this.database.run(em, writer.finish(), {});
    const olds = new Map(rows.map(([position, old]) => [Number(position), String(old)]));
    const known = stored.flatMap((one, index): Known[] => {
      const old = olds.get(index + 1);
      // What is not there is not changed.
      return old === undefined ? [] : [{ ...one, old }];
    });
    const early = known.filter(({ isEarly }) => isEarly);
    return [...early, ...fresh, ...known.filter(({ isEarly }) => !isEarly)];
  }

  async #write(
    em: SqlEntityManager,
    tables: TableSql,
    target: RecordedTarget,
    known: readonly Known[],
    origin: ChangeOrigin,
  ): Promise<void> {
    if (known.length === 0) return;
    const { entity } = target;
    const writer = new StatementWriter(this.database.dialect);
    const sql = new ChangeLogSql(writer, tables, target);
    const list = (of: (one: Known) => string | null): string =>
      `${writer.parameter(() => arrayLiteral(known.map(of)))}::text[]`;
    const ids = list((one) => this.#text(one.sort === 'deleted' ? one.before : one.keyOf()));
    const sorts = list(({ sort }) => sort);
    const olds = list(({ old }) => old);
    const key = tables.field('e', entity.key);
    // Most flushes change no key, and ask nothing more then.
    const befores = known.some((one) => this.#mayMove(one))
      ? list((one) => (one.sort === 'created' ? null : this.#text(one.before)))
      : undefined;
    const was =
      befores === undefined
        ? { list: '', name: '', shown: '' }
        : { list: `, ${befores}`, name: ', was', shown: 'g.was, g.nr, ' };
    const parts = this.#parts(writer, entity, known);
    const keyText = (id: string): string => `${this.database.dialect.cast(id, entity.key) ?? id}::text`;
    sql.writeInsert({
      from: `(select ${was.shown}g.id, g.sort, g.old::jsonb as old, e as "*now"${parts.shown}
          from unnest(${ids}, ${sorts}, ${olds}${was.list}${parts.list}) with ordinality as g(id, sort, old${was.name}${parts.name}, nr)
          left join ${tables.table(entity.meta)} as e
            on g.sort <> 'deleted' and ${this.#isOf(key, 'g.id', entity.key)}${parts.joined(tables)} order by g.nr) as w`,
      // As every other statement writes it: the text that the database makes of the key.
      key: keyText('w.id'),
      ...(befores !== undefined && { keyBefore: keyText('w.was'), order: 'w.nr' }),
      part: 'w.part',
      operation: 'w.sort',
      isWhole: `w.sort <> 'updated'`,
      hasBefore: `w.sort <> 'created'`,
      hasAfter: `w.sort <> 'deleted'`,
      before: ({ fields }) => member('w.old', fields),
      after: (column) => `coalesce(${sql.memberOf('w."*now"', column)}, 'null')`,
      mayBeNothing: true,
    });
    try {
      await this.database.run(em, writer.finish(), { origin });
    } catch (error) {
      throw unwrittenLog(error);
    }
  }

  /** The SQL of the parts that records are in, beside their keys; empty where tables are whole. */
  #parts(
    writer: StatementWriter,
    { part }: RecordedTarget['entity'],
    changed: readonly FlushedChange[],
  ): PartsSql {
    if (part === undefined) return whole;
    const list = writer.parameter(() => arrayLiteral(changed.map(({ partOf }) => this.#text(partOf?.()))));
    const own = this.database.dialect.cast('g.part', part) ?? 'g.part';
    return {
      list: `, ${list}::text[]`,
      name: ', part',
      shown: `, ${own} as part`,
      joined: (tables) => ` and ${tables.field('e', part)} = ${own}`,
    };
  }

  /** True if a record may have another key now; what is the same in another spelling the database tells. */
  #mayMove({ sort, before, keyOf }: Known): boolean {
    return sort === 'updated' && this.#text(before) !== this.#text(keyOf());
  }

  #text(key: unknown): string {
    const { dialect } = this.database;
    return String(dialect.bind(key as DatabaseValue));
  }

  #isOf(key: string, id: string, property: RecordedTarget['entity']['key']): string {
    const cast = this.database.dialect.cast(id, property);
    return cast === undefined ? `${key}::text = ${id}` : `${key} = ${cast}`;
  }
}

interface PartsSql {
  /** The list of their values, behind those of keys. */
  readonly list: string;
  readonly name: string;
  readonly shown: string;
  readonly joined: (tables: TableSql) => string;
}

const whole: PartsSql = { list: '', name: '', shown: '', joined: () => '' };

/** A member of a JSON object of a record's columns. */
function member(json: string, fields: readonly string[]): string {
  const all = fields.map((field) => `${json} -> '${field.replaceAll("'", "''")}'`);
  return all.length === 1 ? (all[0] ?? 'null') : `jsonb_build_array(${all.join(', ')})`;
}
