import type { DatabaseValue } from '../../model/column.type.js';
import type { ChangeOperation } from '../../metadata/recorded/change.record.js';
import type { RecordedColumn } from '../../metadata/recorded/recorded.entity.js';
import type { RecordedTarget } from '../../sql/changes/change.log.sql.js';
import type { ChangeOrigin } from '../../sql/changes/change.origin.js';
import { StatementWriter } from '../../sql/statement.js';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { FlushedChange, LoggingDatabase } from './flushed.change.js';

/** The values of a record's columns, each as JSON text. */
type Values = readonly string[];

/** The values of records by their keys, as text. */
type Found = ReadonlyMap<string, Values>;

/** The most keys of one statement: each is a parameter. */
const most = 500;

/** The log of flushes on databases that do not compare JSON: values are compared here. */
export class PlainLog {
  constructor(private readonly database: Pick<LoggingDatabase, 'dialect' | 'tables' | 'run'>) {}

  /** Looks at the records before they are written. @returns what is to be done behind it */
  async begin(
    em: SqlEntityManager,
    target: RecordedTarget,
    changed: readonly FlushedChange[],
    origin: ChangeOrigin,
  ): Promise<() => Promise<void>> {
    const stored = changed.filter(({ sort }) => sort !== 'created').map(({ before }) => before);
    const before = await this.#found(em, target, stored);
    return async () => {
      const left = changed.filter(({ sort }) => sort !== 'deleted').map(({ keyOf }) => keyOf());
      const after = await this.#found(em, target, left);
      const moved = changed.filter((one) => isMove(one, before, after));
      // A record may take the key that another one leaves, so that ends are told first.
      const told = [
        ...moved.map((one) => ({ ...one, sort: 'deleted' }) as const),
        ...changed.map((one) => (moved.includes(one) ? ({ ...one, sort: 'created' } as const) : one)),
      ];
      for (const one of told) await this.#write(em, target, one, { before, after, origin });
    };
  }

  async #found(em: SqlEntityManager, { entity }: RecordedTarget, keys: readonly unknown[]): Promise<Found> {
    const { dialect, tables } = this.database;
    const found = new Map<string, Values>();
    for (let start = 0; start < keys.length; start += most) {
      const writer = new StatementWriter(dialect);
      const fields = entity.columns.flatMap((column) => column.fields);
      const list = [tables.field('e', entity.key), ...fields.map((field) => tables.column('e', field))];
      const some = keys
        .slice(start, start + most)
        .map((key) => writer.parameter(() => dialect.bind(key as DatabaseValue)));
      const named = list.map((value, index) => `${value} as c${index}`).join(', ');
      writer.write(`select ${named} from ${tables.table(entity.meta)} as ${dialect.quote('e')}`);
      writer.write(` where ${tables.field('e', entity.key)} in (${some.join(', ')})`);
      for (const [key, ...values] of await this.database.run(em, writer.finish(), {}))
        found.set(String(key), valuesOf(entity.columns, values));
    }
    return found;
  }

  async #write(
    em: SqlEntityManager,
    { entity, log }: RecordedTarget,
    { sort, before: oldKey, keyOf }: FlushedChange,
    {
      before,
      after,
      origin,
    }: { readonly before: Found; readonly after: Found; readonly origin: ChangeOrigin },
  ): Promise<void> {
    const key = sort === 'deleted' ? oldKey : keyOf();
    const old = sort === 'created' ? undefined : before.get(String(oldKey));
    const now = sort === 'deleted' ? undefined : after.get(String(key));
    // What is not there is not changed.
    if (old === undefined && now === undefined) return;
    const told = entity.columns.flatMap((column, index) =>
      sort === 'updated' && old?.[index] === now?.[index] ? [] : [{ column, index }],
    );
    if (sort === 'updated' && told.length === 0) return;
    const shown = told.filter(({ column }) => !column.isWithheld);
    const json = (values: Values | undefined): string | null => {
      if (values === undefined || shown.length === 0) return null;
      const members = shown.map(({ column, index }) => [column.property.name, values[index] ?? 'null']);
      return `{${members.map(([name = '', value = '']) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
    };
    const withheld = told.filter(({ column }) => column.isWithheld).map(({ column }) => column.property.name);
    const values: Readonly<Record<string, unknown>> = {
      at: this.database.dialect.bind(new Date()),
      model: entity.name,
      recordId: String(key),
      operation: operationOf(entity, sort, old, now),
      before: json(old),
      after: json(now),
      withheld: withheld.length === 0 ? null : JSON.stringify(withheld),
      ...origin,
    };
    const writer = new StatementWriter(this.database.dialect);
    const names = log.props.filter(({ name }) => Object.hasOwn(values, name));
    const fields = names.map(({ name, fieldNames }) => this.database.dialect.quote(fieldNames[0] ?? name));
    writer.write(`insert into ${this.database.tables.table(log)} (${fields.join(', ')})`);
    writer.write(` values (${names.map(({ name }) => writer.parameter(() => values[name])).join(', ')})`);
    await this.database.run(em, writer.finish(), {});
  }
}

/** True of a change of the key: it is the end of a record under the key so far, and a beginning under the new one. */
function isMove({ sort, before: key, keyOf }: FlushedChange, before: Found, after: Found): boolean {
  const [was, is] = [String(key), String(keyOf())];
  return sort === 'updated' && was !== is && before.has(was) && after.has(is);
}

/** The values of columns as JSON. A property of several columns is a list. */
function valuesOf(columns: readonly RecordedColumn[], values: readonly unknown[]): Values {
  const left = [...values];
  return columns.map(({ fields }) => {
    const own = left.splice(0, fields.length).map(plain);
    return JSON.stringify(own.length === 1 ? own[0] : own);
  });
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : (value ?? null);
}

/** The operation; a change of the column that marks deleted records has a name of its own. */
function operationOf(
  { columns, tombstone }: RecordedTarget['entity'],
  sort: FlushedChange['sort'],
  old: Values | undefined,
  now: Values | undefined,
): ChangeOperation {
  const index = columns.findIndex(({ property }) => property === tombstone);
  const [was, is] = [old, now].map((values) => (values?.[index] ?? 'null') !== 'null');
  if (sort !== 'updated' || was === is) return sort;
  return is === true ? 'deleted' : 'restored';
}
