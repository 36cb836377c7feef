import type { Column } from '../../../model/column.js';
import type { Model } from '../../../model/model.js';
import { storedField } from '../../../metadata/stored.fields.js';
import { atMost } from '../../../limits/bounded.wait.js';
import { RecentEntries } from '../../../limits/recent.entries.js';
import { softEntityOf } from '../../../model/soft/soft.entity.js';
import { isUniqueAmongLive } from '../../../model/unique.property.js';
import { livePredicate } from '../../soft/live.predicate.js';
import { databaseReason, violationOf } from '../../../database/errors/database.error.js';
import type { Database } from '../../../database/database.js';
import { criteriaValues, isGroup } from '../../../query/criterion.js';
import { amongTuples, tuplePieces } from '../../../query/value.tuples.js';
import { arrayLiteral } from '../../../sql/array.literal.js';
import { liveRestriction } from '../../../visibility/live.records.js';
import { unrestricted, type Fragment, type Restrictions } from '../../../sql/restriction.js';
import { conditionWords, type ShapedCriterion } from '../../../sql/condition.writer.js';
import { SelectStatement } from '../../../sql/select.statement.js';
import { StatementCache } from '../../../sql/statement.cache.js';
import { StatementWriter, type Statement } from '../../../sql/statement.js';
import { Session } from '../../../visibility/session.js';
import { shaped } from '../../page.reader.js';
import { keyTexts } from './key.texts.js';
import type { ColumnValues, NewRowMark, RecordConflicts } from '../../record.store.js';

/** The time for which an answer of the catalogue is believed, in milliseconds: migrations run while requests are served. */
const freshFor = 5000;

/** The time that a start waits for the answer, in milliseconds. */
const patience = 2000;

/** A page of nothing but rows. */
const page = { isFirst: true, isDeep: false, readsCursor: false, counts: false };

const nothing: readonly Fragment[] = [];

/** The number of schemas, which requests may choose, whose facts are kept. */
const keptSchemas = 200;

/** The most rows with the values of many records: there may be several of one, where only live ones have it once. */
const mostRows = 1_000_000;

/** The facts that the catalogue knows. */
interface IndexFacts {
  /** False where nobody has made the table yet. */
  readonly isThere: boolean;
  /** The names of the indexes that refuse a second row with the same values, those of partitions included. */
  readonly names: readonly string[];
  /** True if one of them is about all rows; else they refuse a second live one. */
  readonly isOfAll: boolean;
  /** The definitions of all unique indexes of the table. */
  readonly known: readonly string[];
  /** True if the rows of the table are PostgreSQL's own, so that what it tells of a written row is true. */
  readonly isOwn: boolean;
  /** The version of the server as a number: 180003. */
  readonly version: number;
}

/** Facts, and when they were told. */
interface ToldFacts {
  readonly at: number;
  readonly told: IndexFacts;
}

/** The unique index by which an Upsert knows that its record is there. Made once for each endpoint. */
export class ConflictIndex implements RecordConflicts {
  readonly #fields: readonly string[];
  readonly #statements = new StatementCache();
  /** The facts by the key of the tables that they are about. */
  #facts = new RecentEntries<string, ToldFacts>(keptSchemas);

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly columns: readonly Column[],
  ) {
    this.#fields = columns.map(({ property }) => storedField(property));
  }

  async reasonAgainst(session: Session): Promise<string | undefined> {
    const facts = await this.#told(session);
    if (facts === undefined || !facts.isThere || facts.names.length > 0) return undefined;
    const { meta } = this.model;
    const live = softEntityOf(meta)?.isUniqueAmongLive === true ? ', or for all live ones' : '';
    const wanted = `the table ${meta.tableName} has no unique index of ${this.#fields.join(', ')} alone, for all rows${live}`;
    return `${wanted}; it has: ${facts.known.length === 0 ? 'none' : facts.known.join('; ')}`;
  }

  async misfit(): Promise<string | undefined> {
    try {
      return await atMost(patience, this.reasonAgainst(new Session(this.database)), () => undefined);
    } catch {
      // The first request will tell.
      return undefined;
    } finally {
      // Tables may change until requests come.
      this.#facts = new RecentEntries(keptSchemas);
    }
  }

  async isViolatedBy(session: Session, error: unknown): Promise<boolean> {
    if (databaseReason(error) !== 'unique') return false;
    const { constraint, listed } = violationOf(error);
    if (listed !== undefined) return this.#isListed(listed);
    const facts = await this.#told(session);
    return constraint !== undefined && facts?.names.includes(constraint) === true;
  }

  /** The database refuses the values whoever may see their record, and whatever entity it is of. */
  async isTaken(session: Session, values: ColumnValues): Promise<boolean> {
    const { model, columns, database } = this;
    const { tables } = session;
    const restrictions = await this.#indexed(session);
    const statement = this.#statements.get(tables, ['there'], restrictions, nothing, () => {
      const conditions = columns.map((column) => {
        const path = { text: column.name, relations: [], column };
        return { path, comparison: '=', isExact: true } as const;
      });
      const shape = { model, columns: [model.idPath], conditions, restrictions, page, isOfTable: true };
      return SelectStatement.rows(database.dialect, tables, shape);
    });
    const given = columns.map((column) => values.get(column));
    return (await session.run(statement, { values: given, limit: 1, restrictions })).length > 0;
  }

  /** The records that the index is about; where no catalogue tells, metadata does. */
  async #indexed(session: Session): Promise<Restrictions> {
    const { meta } = this.model;
    const facts = await this.#told(session);
    const properties = this.columns.map(({ property }) => property);
    const isOfAll = facts === undefined ? !isUniqueAmongLive(meta, properties) : facts.isOfAll;
    const live = isOfAll ? undefined : liveRestriction(meta);
    return live === undefined ? unrestricted : new Map([[meta, live]]);
  }

  async areTaken(session: Session, all: readonly ColumnValues[]): Promise<readonly boolean[]> {
    const { model, columns, database } = this;
    const { tables } = session;
    const restrictions = await this.#indexed(session);
    const paths = columns.map((column) => ({ text: column.name, relations: [], column }));
    const there = new Set<string>();
    for (const piece of tuplePieces(all)) {
      const criteria = [amongTuples(piece)];
      const conditions = exactly(shaped(database.dialect, criteria));
      const statement = this.#statements.get(
        tables,
        ['there', ...conditionWords(conditions)],
        restrictions,
        nothing,
        () => {
          const shape = { model, columns: paths, conditions, restrictions, page, isOfTable: true };
          return SelectStatement.rows(database.dialect, tables, shape);
        },
      );
      const inputs = { values: criteriaValues(criteria), limit: mostRows, restrictions };
      for (const row of await session.run(statement, inputs))
        there.add(JSON.stringify(columns.map(({ type }, index) => type.keyText(row[index]))));
    }
    const asked = all.map((one) => JSON.stringify(keyTexts(one)));
    const sent = new Set(asked);
    // The database takes a text for the same that is another one, and it alone can say of which.
    const isOdd = [...there].some((text) => !sent.has(text));
    const taken: boolean[] = [];
    for (const [index, one] of all.entries())
      taken.push(there.has(asked[index] ?? '') || (isOdd && (await this.isTaken(session, one))));
    return taken;
  }

  markOf(session: Session): NewRowMark | undefined | Promise<NewRowMark | undefined> {
    const facts = this.#told(session);
    return facts instanceof Promise ? facts.then(markIn) : markIn(facts);
  }

  /** The facts of the catalogue; undefined where it is none that is known. */
  #told(session: Session): IndexFacts | undefined | Promise<IndexFacts> {
    if (!this.database.dialect.hasCatalogue) return undefined;
    const kept = this.#facts.get(session.tables.key);
    const isFresh = kept !== undefined && performance.now() - kept.at < freshFor;
    return isFresh ? kept.told : this.#ask(session);
  }

  async #ask(session: Session): Promise<IndexFacts> {
    const { tables } = session;
    const [row] = await session.run(this.#question(tables.table(this.model.meta)), {});
    const told = JSON.parse(String(row?.[0])) as IndexFacts;
    this.#facts.set(tables.key, { at: performance.now(), told });
    return told;
  }

  /** True if SQLite names just these columns. */
  #isListed(listed: string): boolean {
    const named = listed.split(', ').toSorted().join();
    const { tableName } = this.model.meta;
    return (
      named ===
      this.#fields
        .map((field) => `${tableName}.${field}`)
        .toSorted()
        .join()
    );
  }

  #question(tableName: string): Statement {
    const writer = new StatementWriter(this.database.dialect);
    const table = `to_regclass(${writer.parameter(() => tableName)})`;
    const fields = `${writer.parameter(() => arrayLiteral(this.#fields.toSorted()))}::text[]`;
    const live = writer.parameter(() => livePredicate(this.model.meta));
    const matching = (predicate: string): string => `select x.indexrelid from pg_index x
        where x.indrelid = ${table} and x.indisunique and x.indisvalid and x.indimmediate
          and (${predicate}) and x.indexprs is null
          and ${fields} = (select array_agg(a.attname::text order by a.attname::text collate "C")
            from unnest(x.indkey::int2[]) with ordinality k(nr, place)
            join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.nr
            where k.place <= x.indnkeyatts)`;
    writer.write(`select json_build_object(
      'isThere', ${table} is not null,
      'version', current_setting('server_version_num')::int,
      'isOwn', version() like 'PostgreSQL %' and version() not like '%-YB-%'
        and not exists (select 1 from pg_extension where extname = 'citus'),
      'known', coalesce((select json_agg(pg_get_indexdef(x.indexrelid)) from pg_index x
        where x.indrelid = ${table} and x.indisunique), '[]'),
      'isOfAll', exists (${matching('x.indpred is null')}),
      'names', coalesce((select json_agg(distinct n.relname) from pg_index x
        cross join lateral (select x.indexrelid union select relid from pg_partition_tree(x.indexrelid)) t(id)
        join pg_class n on n.oid = t.id
        where x.indexrelid in (${matching(`x.indpred is null or pg_get_expr(x.indpred, x.indrelid) = ${live}`)})), '[]'))::text`);
    return writer.finish();
  }
}

/** Criteria of which instants must be equal to the last digit. */
function exactly(criteria: readonly ShapedCriterion[]): readonly ShapedCriterion[] {
  return criteria.map((one) =>
    isGroup(one) ? { ...one, members: exactly(one.members) } : { ...one, isExact: true },
  );
}

/** The mark of new rows. It is true of rows that PostgreSQL itself keeps. */
function markIn(facts: IndexFacts | undefined): NewRowMark | undefined {
  if (facts === undefined || !facts.isOwn || facts.names.length === 0) return undefined;
  return facts.version >= 180_000 ? 'old' : 'xmax';
}
