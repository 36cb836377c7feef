import type { RecordedTarget } from '../../sql/changes/change.log.sql.js';
import { arrayLiteral } from '../../sql/array.literal.js';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import { StatementWriter, type Statement } from '../../sql/statement.js';
import type { Dialect } from '../../sql/dialect.js';
import type { Row } from '../../sql/row.layout.js';
import type { Session } from '../../visibility/session.js';
import { exactJson } from '../../wire/json.text.js';
import type { ChangeOperation } from '../../metadata/recorded/change.record.js';
import type { RecordedValue } from './recorded.value.js';

/** A side of a change: the values by the names of properties. */
type Side = ReadonlyMap<string, RecordedValue>;

/** A change of one record. */
export interface RecordChange {
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly operation: ChangeOperation;
  readonly before: Side;
  readonly after: Side;
  readonly withheld: readonly string[];
  readonly actor: string | null;
  readonly requestId: string | null;
  /** A JSON object as text. */
  readonly context: string | null;
  /** True if it is the one by which the record became what the reader may see. */
  readonly isFirst: boolean;
}

/** The changes of a record that are asked for. */
export interface AskedChanges {
  readonly key: string;
  /** The names of properties of which a change must touch one. */
  readonly names: readonly string[];
  /** The names of properties with whose last change the history begins. */
  readonly narrowedBy: readonly string[];
  /** True for changes of the record that has the key now: not of those that had it before. */
  readonly isOfLive: boolean;
  readonly operation: string | undefined;
  /** The id of the last change that was read. */
  readonly behind: string | undefined;
  readonly limit: number;
}

/** A record as it was: values that have changed since, or the reason why there is none. */
export interface EarlierRecord {
  /** The first change after that time; undefined where there is none. */
  readonly next: ChangeOperation | undefined;
  readonly values: Side;
  /** True if one of the named properties has changed since, or the key is another record's. */
  readonly hasMoved: boolean;
  /** The first deletion or restoration after that time; undefined where there is none. */
  readonly turn: ChangeOperation | undefined;
  /** The time of the first change that is kept of any record, in milliseconds. */
  readonly since: number | undefined;
}

const utc = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** Reads the log of one entity, on PostgreSQL. */
export class RecordHistory {
  constructor(
    private readonly dialect: Dialect,
    private readonly target: RecordedTarget,
  ) {}

  /** Changes of a record, the newest first, and one more than asked for where there are more. */
  async changes(session: Session, asked: AskedChanges): Promise<readonly RecordChange[]> {
    const rows = await session.run(this.#listed(session, asked, await this.#partIn(session)), {});
    return rows.map(changeOf);
  }

  /** The record as it was at a time. */
  async earlier(
    session: Session,
    key: string,
    at: Date,
    narrowedBy: readonly string[],
  ): Promise<EarlierRecord> {
    const part = await this.#partIn(session);
    const [row = []] = await session.run(this.#walked(session, { key, at, narrowedBy, part }), {});
    const [next, values, hasMoved, since, turn] = row;
    const operationOf = (value: unknown): ChangeOperation | undefined =>
      typeof value === 'string' ? (value as ChangeOperation) : undefined;
    return {
      next: operationOf(next),
      turn: operationOf(turn),
      values: sideOf(values),
      hasMoved: hasMoved === true || hasMoved === 't',
      since: since === null || since === undefined ? undefined : Number(since),
    };
  }

  /** The part that a request is about, as it is bound. @throws TypeError where nothing says it, and nothing is told then */
  async #partIn(session: Session): Promise<unknown> {
    const { meta, part } = this.target.entity;
    if (part === undefined) return undefined;
    const { conditions = [] } = (await session.restrictionsOf(new Set([meta]))).get(meta) ?? {};
    const own = conditions.find(({ property, comparison }) => property === part && comparison === '=');
    if (own?.value === undefined)
      throw new TypeError(`Nothing says in which part ${meta.className} is asked for`);
    return own.value;
  }

  #listed({ tables }: Session, asked: AskedChanges, part: unknown): Statement {
    const { key, names, operation, behind, limit } = asked;
    const { field, table, ofRecord, writer } = this.#draft(tables, key, part);
    const list = (all: readonly string[]): string => `${writer.parameter(() => arrayLiteral(all))}::text[]`;
    const touches = (all: string): string => touching(field, all);
    const beginning = this.#beginning(asked, field, list);
    const begun = beginning === undefined ? 'null::bigint as begins' : `${beginning} as begins from ${table}`;
    writer.write(`with "*first" as (select ${begun}${beginning === undefined ? '' : ` where ${ofRecord}`})`);
    const columns = [
      `${field('id')}::text`,
      `to_char(${field('at')} at time zone 'UTC', ${utc})`,
      field('operation'),
      texts(field('before')),
      texts(field('after')),
      `${field('withheld')}::text`,
      field('actor'),
      field('requestId'),
      `${field('context')}::text`,
      `${field('id')} = "*first".begins and ${field('operation')} <> 'created'`,
    ];
    const shown = columns.map((column, index) => `${column} as c${index}`).join(', ');
    writer.write(` select ${shown}
      from ${table}, "*first" where ${ofRecord} and (${touches(list(names))})
        and ("*first".begins is null or ${field('id')} >= "*first".begins)`);
    if (operation !== undefined)
      writer.write(` and ${field('operation')} = ${writer.parameter(() => operation)}::text`);
    if (behind !== undefined) writer.write(` and ${field('id')} < ${writer.parameter(() => behind)}::bigint`);
    writer.write(` order by ${field('id')} desc limit ${writer.parameter(() => limit + 1)}::int`);
    return writer.finish();
  }

  /**
   * The id of the first change to tell of, of the rows of a key: that by which the record became what the reader may see. Of the
   * record that has the key now it is never before that one was made, or took the key.
   */
  #beginning(
    { narrowedBy, isOfLive }: AskedChanges,
    field: (name: string) => string,
    list: (all: readonly string[]) => string,
  ): string | undefined {
    const [id, operation] = [field('id'), field('operation')];
    const touched = narrowedBy.length === 0 ? 'false' : touching(field, list(narrowedBy));
    if (!isOfLive) return narrowedBy.length === 0 ? undefined : `max(${id}) filter (where ${touched})`;
    const isMarked = this.target.entity.tombstone !== undefined;
    // A mark has values on both sides, or none on either where the log keeps it to itself.
    const isGone = `${operation} = 'deleted' and ${field('after')} is null${isMarked ? ` and ${field('before')} is not null` : ''}`;
    return `max(case when ${isGone} then ${id} + 1 else ${id} end) filter (where ${operation} = 'created' or (${isGone}) or ${touched})`;
  }

  /** The first change behind a time tells of each property what it was then. */
  #walked({ tables }: Session, { key, at, narrowedBy, part }: Walk): Statement {
    const { field, table, ofRecord, ofPart, writer } = this.#draft(tables, key, part);
    const since = `${field('at')} > ${writer.parameter(() => at.toISOString())}::timestamptz`;
    const moved = `${writer.parameter(() => arrayLiteral(narrowedBy))}::text[]`;
    const [id, before, withheld] = [field('id'), field('before'), field('withheld')];
    const operation = field('operation');
    writer.write(`with "*later" as (select * from ${table} where ${ofRecord} and ${since}),
      "*told" as (select ${id} as id, k, t.value as text, j.value as json from "*later"
          cross join lateral jsonb_object_keys(${before}) as k
          cross join lateral (select ${before} ->> k) as t(value) cross join lateral (select ${before} -> k) as j(value)
        union all select ${id}, k, null, null from "*later"
          cross join lateral jsonb_array_elements_text(coalesce(${withheld}, '[]')) as k),
      "*first" as (select distinct on (k) k, text, json from "*told" order by k, id)
      select (select ${operation} from "*later" order by ${id} limit 1) as c0,
        (select jsonb_object_agg(k, jsonb_build_array(text, json))::text from "*first") as c1,
        exists (select 1 from "*told" where k = any(${moved}))
          or exists (select 1 from "*later" where ${operation} = 'created') as c2,
        (select extract(epoch from min(${field('at')})) * 1000 from ${table}${ofPart})::text as c3,
        (select ${operation} from "*later" where ${operation} in ('deleted', 'restored') order by ${id} limit 1) as c4`);
    return writer.finish();
  }

  #draft(tables: Session['tables'], key: string, part: unknown) {
    const { log, entity } = this.target;
    const writer = new StatementWriter(this.dialect);
    const field = (name: string): string =>
      this.dialect.quote(log.props.find((one) => one.name === name)?.fieldNames[0] ?? name);
    const placed = partingPropertiesOf(log).map(
      ({ name }) => `${field(name)} = ${writer.parameter(() => part)}`,
    );
    const model = `${writer.parameter(() => entity.name)}::text`;
    const isOf = `${field('model')} = ${model} and ${field('recordId')} = ${writer.parameter(() => key)}::text`;
    const ofRecord = [...placed, isOf].join(' and ');
    const ofPart = placed.length === 0 ? '' : ` where ${placed.join()}`;
    return { writer, field, table: tables.table(log), ofRecord, ofPart };
  }
}

/** The test that a change is about one of some properties. */
function touching(field: (name: string) => string, names: string): string {
  return ['before', 'after', 'withheld']
    .map((side) => `coalesce(jsonb_exists_any(${field(side)}, ${names}), false)`)
    .join(' or ');
}

/** A way back to a time, of the record of a key. */
interface Walk {
  readonly key: string;
  readonly at: Date;
  readonly narrowedBy: readonly string[];
  /** Undefined where tables are whole. */
  readonly part: unknown;
}

/** The values of a side, each as text and in JSON. */
function texts(side: string): string {
  return `(select jsonb_object_agg(k, jsonb_build_array(${side} ->> k, ${side} -> k))::text from jsonb_object_keys(${side}) as k)`;
}

function sideOf(text: unknown): Side {
  if (typeof text !== 'string') return new Map();
  const plain = JSON.parse(text) as SideJson;
  return new Map(
    Object.entries(exactJson(text) as SideJson).map(([name, [value, exact]]) => [
      name,
      { text: value, json: plain[name]?.[1], exact },
    ]),
  );
}

/** The members of a side, each as text and in JSON. */
type SideJson = Readonly<Record<string, readonly [text: string | null, json: unknown]>>;

function changeOf(row: Row): RecordChange {
  const [id, at, operation, before, after, withheld, actor, requestId, context, isFirst] = row;
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    id: String(id),
    at: String(at),
    operation: String(operation) as ChangeOperation,
    before: sideOf(before),
    after: sideOf(after),
    withheld: typeof withheld === 'string' ? (JSON.parse(withheld) as readonly string[]) : [],
    actor: textOf(actor),
    requestId: textOf(requestId),
    context: textOf(context),
    isFirst: isFirst === true || isFirst === 't',
  };
}
