import type { EntityMetadata } from '@mikro-orm/core';
import type { Database } from '../database.js';
import type { Row } from '../row.writer.js';
import type { Session } from '../session.js';
import { StatementWriter, type Statement } from '../sql/statement.js';
import { IdempotencyRecord } from './idempotency.record.js';

/** By what a request is known again. */
export interface RequestMark {
  /** Of the key, the endpoint and the sender. */
  readonly id: string;
  /** Of everything else that makes it the request it is. */
  readonly request: string;
}

/** An answer as it is kept. */
export interface KeptAnswer {
  readonly statusCode: number;
  /** The JSON text of `data`. */
  readonly data: string;
  readonly entityTag: string | undefined;
}

/** What stands under a mark that somebody else has claimed. */
export interface KeptRequest extends KeptAnswer {
  readonly request: string;
}

/** A placeholder for the next value of a statement. */
type Next = () => string;

/** How many rows one statement sweeps, so that locks and logs stay small. */
const batch = 1000;

/**
 * The table of {@link IdempotencyRecord}. A row is claimed before the record is written, in the same transaction: who
 * claims it again meanwhile waits for the end of that transaction, and who comes later finds the answer.
 */
export class KeptAnswers {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #claim: Statement;
  readonly #keep: Statement;
  readonly #find: Statement;
  readonly #sweep: Statement;

  private constructor(database: Database, meta: EntityMetadata, now: () => number) {
    this.#database = database;
    this.#now = now;
    const field = (name: string): string => {
      const property = meta.props.find((one) => one.name === name);
      return database.dialect.quote(property?.fieldNames[0] ?? name);
    };
    const [id, request, status, data] = [field('id'), field('request'), field('status'), field('data')];
    const [entityTag, expiresAt] = [field('entityTag'), field('expiresAt')];
    const table = database.tables.table(meta);
    const kept = database.dialect.quote('kept');
    const locked = database.dialect.hasCatalogue ? ' for update skip locked' : '';
    this.#claim = this.#statement(
      (next) => `insert into ${table} as ${kept} (${id}, ${request}, ${expiresAt})
        values (${next()}, ${next()}, ${next()})
        on conflict (${id}) do update set ${request} = excluded.${request}, ${expiresAt} = excluded.${expiresAt},
          ${status} = null, ${data} = null, ${entityTag} = null
        where ${kept}.${expiresAt} <= ${next()} returning 1 as claimed`,
    );
    this.#keep = this.#statement(
      (next) => `update ${table} set ${status} = ${next()}, ${data} = ${next()}, ${entityTag} = ${next()}
        where ${id} = ${next()}`,
    );
    this.#find = this.#statement(
      (next) => `select ${request}, ${status}, ${data}, ${entityTag} from ${table}
        where ${id} = ${next()} and ${expiresAt} > ${next()}`,
    );
    this.#sweep = this.#statement(
      (next) => `delete from ${table} where ${id} in (
        select ${id} from ${table} where ${expiresAt} <= ${next()} limit ${batch}${locked}) returning 1 as swept`,
    );
  }

  /**
   * Undefined where MikroORM has not been given the entity.
   * @param now milliseconds since 1970
   */
  static on(database: Database, now: () => number = Date.now): KeptAnswers | undefined {
    const metadata = database.orm.getMetadata();
    const meta = metadata.find(IdempotencyRecord);
    const isGiven = meta !== undefined && metadata.getAll().has(meta.class);
    return isGiven ? new KeptAnswers(database, meta, now) : undefined;
  }

  /**
   * Whether the mark is the request's own now; an expired one counts as none. Waits for whoever claims it meanwhile.
   * @param time how long it is kept, in milliseconds
   */
  async claim(session: Session, { id, request }: RequestMark, time: number): Promise<boolean> {
    const now = this.#now();
    const values = [id, request, this.#instant(now + time), this.#instant(now)];
    return (await session.write(this.#claim, { values })).length > 0;
  }

  /** Keeps the answer under a mark that was claimed in this transaction. */
  async keep(session: Session, { id }: RequestMark, answer: KeptAnswer): Promise<void> {
    const { statusCode, data, entityTag } = answer;
    await session.write(this.#keep, { values: [statusCode, data, entityTag ?? null, id] });
  }

  /** What is kept under a mark that could not be claimed; undefined when there is nothing by now. */
  find(session: Session, mark: RequestMark): Promise<KeptRequest | undefined> {
    return this.#found(session, mark, 0);
  }

  /** What is kept under a mark that nobody has tried to claim; undefined when there is nothing, or it has expired. */
  findLive(session: Session, mark: RequestMark): Promise<KeptRequest | undefined> {
    return this.#found(session, mark, this.#now());
  }

  /** Deletes some of what has expired. Others may sweep at the same time. @returns whether there may be more */
  async sweep(session: Session): Promise<boolean> {
    const swept = await session.write(this.#sweep, { values: [this.#instant(this.#now())] });
    return swept.length === batch;
  }

  async #found(session: Session, { id }: RequestMark, after: number): Promise<KeptRequest | undefined> {
    const [row] = await session.run(this.#find, { values: [id, this.#instant(after)] });
    return row === undefined ? undefined : keptIn(row);
  }

  #instant(milliseconds: number): unknown {
    return this.#database.dialect.bind(new Date(milliseconds));
  }

  #statement(write: (next: Next) => string): Statement {
    const writer = new StatementWriter(this.#database.dialect);
    let position = 0;
    const text = write(() => {
      const index = position++;
      return writer.parameter(({ values }) => values?.[index]);
    });
    return writer.write(text).finish();
  }
}

/** Claimed, but without an answer, no row is ever committed. */
function keptIn([request, status, data, entityTag]: Row): KeptRequest | undefined {
  if (typeof data !== 'string') return undefined;
  return {
    request: String(request),
    statusCode: Number(status),
    data,
    entityTag: typeof entityTag === 'string' ? entityTag : undefined,
  };
}
