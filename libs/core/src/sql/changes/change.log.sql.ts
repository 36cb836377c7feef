import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { RecordedColumn, RecordedEntity } from '../../metadata/recorded/recorded.entity.js';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import type { StatementWriter } from '../statement.js';
import type { TableSql } from '../table.sql.js';

/** The log as statements write it: of which entity, and into which table. */
export interface RecordedTarget {
  readonly entity: RecordedEntity;
  readonly log: EntityMetadata;
}

/** The sort of a change in a statement: a word, or for an Upsert the column that tells if the row is a new one. */
export type LoggedSort = 'created' | 'updated' | 'deleted' | { readonly isNew: string };

/** The values that a log row is made of, of the rows of `from`. */
export interface LoggedRows {
  readonly from: string;
  readonly key: string;
  /** The part of the record, where the log is in parts. */
  readonly part?: string;
  /** The operation, and whether all values are told, as SQL. */
  readonly operation: string;
  readonly isWhole: string;
  /** The key so far, where an update may change it: see {@link movingRows}. Null of a new record. */
  readonly keyBefore?: string | undefined;
  /** The order of the rows, where it matters. */
  readonly order?: string;
  /** The tests that there was a record, and that there is one. */
  readonly hasBefore: string;
  readonly hasAfter: string;
  /** The values as JSON; `null` where there is none. */
  readonly before: (column: RecordedColumn, index: number) => string;
  readonly after: (column: RecordedColumn, index: number) => string;
  /** True if a row tells nothing where nothing differs. */
  readonly mayBeNothing: boolean;
  /** The table of the log, where it is not found as those of entities are. */
  readonly into?: string;
  /** The origin as SQL: actor, request, endpoint, context. Default that of a statement's inputs. */
  readonly origin?: readonly string[];
}

/** A text as a literal of SQL. */
type Quote = (value: string) => string;

/** The values before and after and the names without values, as SQL, and what the row is joined to for them. */
interface ToldValues {
  readonly values: readonly string[];
  readonly from: string;
}

const keyName = '"*key"';
const keyBeforeName = '"*was"';
const partName = '"*part"';

/**
 * Writes the rows of the log into the statement of a write: what the database returns of the record as it was and as it is,
 * and the `insert` that takes it. The one place where a write of a recorded entity names its log.
 */
export class ChangeLogSql {
  readonly #columns: readonly RecordedColumn[];
  /** True if the statement may change the key of a record. Then all of it is told. */
  readonly #mayMove: boolean;

  /**
   * @param written the properties that the statement may give a value; undefined for all
   * @param changed those that it may give a record that is there; undefined for all
   */
  constructor(
    private readonly writer: StatementWriter,
    private readonly tables: TableSql,
    private readonly target: RecordedTarget,
    written?: readonly EntityProperty[],
    changed = written,
  ) {
    const { columns, key } = target.entity;
    const names = new Set(written?.flatMap(({ fieldNames }) => fieldNames));
    const isKey = ({ fieldNames }: EntityProperty): boolean =>
      fieldNames.some((one) => key.fieldNames.includes(one));
    this.#mayMove = changed?.some(isKey) ?? true;
    this.#columns =
      written === undefined || this.#mayMove
        ? columns
        : columns.filter(({ property, fields }) => isMade(property) || fields.some((one) => names.has(one)));
  }

  /**
   * The members of `returning` that the log needs.
   * @param alias of the record as it is returned
   * @param old the values of the record as it was, where there is one: {@link old}
   * @param now the alias of the record as it is, where there is one
   */
  returned(alias: string, old: readonly string[] | undefined, now: string | undefined): readonly string[] {
    const { key, part } = this.target.entity;
    const all = [`${this.tables.field(alias, key)}::text as ${keyName}`];
    if (part !== undefined) all.push(`${this.tables.field(alias, part)} as ${partName}`);
    for (const [index, column] of this.#columns.entries()) {
      if (old !== undefined) all.push(`${old[index] ?? 'null'} as "*b${index}"`);
      if (now !== undefined) all.push(`${this.valueOf(now, column)} as "*a${index}"`);
    }
    if (this.#mayMove && old !== undefined && now !== undefined)
      all.push(`${old[this.#columns.length] ?? 'null'} as ${keyBeforeName}`);
    return all;
  }

  /** The values of the record of an alias, and its key where that may change. */
  old(alias: string): readonly string[] {
    const values = this.#columns.map((column) => this.valueOf(alias, column));
    return this.#mayMove ? [...values, `${this.tables.field(alias, this.target.entity.key)}::text`] : values;
  }

  /** Writes `, "*logged" as (insert …)` about the rows that were returned. */
  writeLogged(rows: string, sort: LoggedSort, name = '"*logged"'): void {
    const alias = 'w';
    const own = (name: string): string => `${alias}."${name}"`;
    const isNew = typeof sort === 'string' ? undefined : `${alias}.${sort.isNew}`;
    const isChange = sort === 'updated' || isNew !== undefined;
    this.writer.write(`, ${name} as (`);
    this.writeInsert({
      from: `${rows} as ${alias}`,
      key: `${alias}.${keyName}`,
      part: `${alias}.${partName}`,
      operation:
        typeof sort === 'string'
          ? `'${sort}'`
          : `case when ${String(isNew)} then 'created' else 'updated' end`,
      isWhole: isNew ?? String(sort !== 'updated'),
      before: (_, index) => (sort === 'created' ? 'null::jsonb' : own(`*b${index}`)),
      after: (_, index) => (sort === 'deleted' ? 'null::jsonb' : own(`*a${index}`)),
      hasBefore: isNew === undefined ? String(sort !== 'created') : `not ${isNew}`,
      hasAfter: String(sort !== 'deleted'),
      keyBefore: isChange && this.#mayMove ? `${alias}.${keyBeforeName}` : undefined,
      mayBeNothing: isChange,
    });
    this.writer.write(')');
  }

  /** Writes the `insert` of a row of the log for each of some rows; of two for a record whose key changes. */
  writeInsert(given: LoggedRows): void {
    const rows = movingRows(given);
    const { from, key, operation, isWhole, before, after } = rows;
    const { writer } = this;
    const { log, entity } = this.target;
    const names = [
      'transaction',
      'at',
      'model',
      'recordId',
      'operation',
      'before',
      'after',
      'withheld',
      'actor',
      'requestId',
      'endpoint',
      'context',
    ];
    const [part] = partingPropertiesOf(log);
    const placed = part === undefined ? [] : [`${this.#logField(part.name)}, `, `${rows.part ?? 'null'}, `];
    const fields = names.map((name) => this.#logField(name)).join(', ');
    const text = (value: string): string => writer.dialect.platform.quoteValue(value);
    const origin = (rows.origin ?? givenOrigin(writer)).join(', ');
    const told = rows.isWhole === 'true' ? this.#whole(rows, text) : this.#differing(rows, text);
    writer.write(`insert into ${rows.into ?? this.tables.table(log)} (${placed[0] ?? ''}${fields})
      select ${placed[1] ?? ''}pg_current_xact_id(), clock_timestamp(), ${text(entity.name)}, ${key}, ${this.#named(operation, before, after)},
        ${told.values.join(', ')}, ${origin}
      from ${from}${told.from}`);
    const isTold = `(${isWhole} or d.before is not null or d.withheld is not null)`;
    const tests = [rows.test, rows.mayBeNothing && isWhole !== 'true' ? isTold : undefined];
    const all = tests.filter((test) => test !== undefined);
    if (all.length > 0) writer.write(` where ${all.join(' and ')}`);
    if (rows.order !== undefined) writer.write(` order by ${rows.order}`);
  }

  /** All that was recorded of a row: known by name when the statement is written, so that the database gathers nothing. */
  #whole({ before, after, hasBefore, hasAfter }: LoggedRows, text: Quote): ToldValues {
    const members = (value: LoggedRows['before']): readonly string[] =>
      this.#columns.flatMap((column, index) =>
        column.isWithheld ? [] : [`${text(column.property.name)}, ${value(column, index)}`],
      );
    const withheld = this.#columns.filter(({ isWithheld }) => isWithheld);
    const names = text(JSON.stringify(withheld.map(({ property }) => property.name)));
    const side = (there: string, value: LoggedRows['before']): string =>
      there === 'false' ? 'null::jsonb' : whereThere(there, objectOf(members(value)));
    return {
      values: [
        side(hasBefore, before),
        side(hasAfter, after),
        withheld.length === 0 ? 'null::jsonb' : `${names}::jsonb`,
      ],
      from: '',
    };
  }

  /** The values that differ. Which those are, only the database knows. */
  #differing({ before, after, hasBefore, hasAfter, isWhole }: LoggedRows, text: Quote): ToldValues {
    const values = this.#columns.map((column, index) => {
      const said = [text(column.property.name), before(column, index), after(column, index)];
      return `(${[...said, String(!column.isWithheld)].join(', ')})`;
    });
    return {
      values: ['d.before', 'd.after', 'd.withheld'],
      from: ` cross join lateral (
        select jsonb_object_agg(k, b) filter (where s and ${hasBefore}) as before,
          jsonb_object_agg(k, a) filter (where s and ${hasAfter}) as after,
          jsonb_agg(k) filter (where not s) as withheld
        from (values ${values.join(', ')}) as v(k, b, a, s) where ${isWhole} or b is distinct from a) as d`,
    };
  }

  /** The operation; a change of the column that marks deleted records has a name of its own. */
  #named(operation: string, before: LoggedRows['before'], after: LoggedRows['after']): string {
    const { tombstone } = this.target.entity;
    const index = this.#columns.findIndex(({ property }) => property === tombstone);
    const column = this.#columns[index];
    if (column === undefined) return operation;
    const was = `nullif(${before(column, index)}, 'null') is not null`;
    const is = `nullif(${after(column, index)}, 'null') is not null`;
    return `case when ${operation} <> 'updated' or (${was}) = (${is}) then ${operation} when ${is} then 'deleted' else 'restored' end`;
  }

  /** The value of a column in JSON. */
  valueOf(alias: string, { fields }: Pick<RecordedColumn, 'fields'>): string {
    const all = fields.map((field) => `to_jsonb(${this.tables.column(alias, field)})`);
    return all.length === 1 ? (all[0] ?? 'null') : `jsonb_build_array(${all.join(', ')})`;
  }

  /** The value of a column in JSON, of a row that is itself a value. */
  memberOf(row: string, { fields }: Pick<RecordedColumn, 'fields'>): string {
    const { dialect } = this.writer;
    const all = fields.map((field) => `to_jsonb((${row}).${dialect.quote(field)})`);
    return all.length === 1 ? (all[0] ?? 'null') : `jsonb_build_array(${all.join(', ')})`;
  }

  #logField(name: string): string {
    const property = this.target.log.props.find((one) => one.name === name);
    return this.writer.dialect.quote(property?.fieldNames[0] ?? name);
  }
}

/**
 * The rows of records whose keys may change. What is known by a key is all that readers know: such a change is an end under the
 * key so far, which tells all values as they were, and a beginning under the new one, which tells all as they are. Ends come first,
 * because a record may take the key that another one leaves.
 */
function movingRows(rows: LoggedRows): LoggedRows & { readonly test?: string } {
  const { from, key, keyBefore, operation, isWhole, hasBefore, hasAfter, order } = rows;
  if (keyBefore === undefined) return rows;
  return {
    ...rows,
    from: `${from} cross join lateral (values (${keyBefore}, 'deleted', true, false, true, 0), (${key}, 'created', false, true, true, 1),
        (${key}, ${operation}, ${hasBefore}, ${hasAfter}, ${isWhole}, 2)) as m(key, operation, had, has, whole, step)`,
    key: 'm.key',
    operation: 'm.operation',
    isWhole: 'm.whole',
    hasBefore: 'm.had',
    hasAfter: 'm.has',
    test: `(m.step < 2) = coalesce(${operation} = 'updated' and ${keyBefore} <> ${key}, false)`,
    order: ['m.step > 0', ...(order === undefined ? [] : [order])].join(', '),
  };
}

/** The origin that a request fills in. */
function givenOrigin(writer: StatementWriter): readonly string[] {
  return [
    `${writer.parameter(({ origin: by }) => by?.actor ?? null)}::text`,
    `${writer.parameter(({ origin: by }) => by?.requestId ?? null)}::text`,
    `${writer.parameter(({ origin: by }) => by?.endpoint ?? null)}::text`,
    `${writer.parameter(({ origin: by }) => by?.context ?? null)}::jsonb`,
  ];
}

/** PostgreSQL takes 100 arguments. */
const mostMembers = 50;

/** An object of JSON of members; `null` if there are none. */
function objectOf(members: readonly string[]): string {
  if (members.length === 0) return 'null::jsonb';
  const parts: string[] = [];
  for (let first = 0; first < members.length; first += mostMembers)
    parts.push(`jsonb_build_object(${members.slice(first, first + mostMembers).join(', ')})`);
  return parts.join(' || ');
}

function whereThere(there: string, value: string): string {
  return there === 'true' ? value : `case when ${there} then ${value} end`;
}

/** True if the database makes the value of others. */
function isMade({ generated }: EntityProperty): boolean {
  return generated !== undefined;
}
