import type { EntityMetadata } from '@mikro-orm/core';
import type { Database } from '../database.js';
import type { Row } from '../row.writer.js';
import type { Session } from '../session.js';
import type { Dialect } from '../sql/dialect.js';
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
  /** The key of the record that it is about, as text; undefined where that is not known. */
  readonly recordKey: string | undefined;
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
  readonly #claim: Statement;
  readonly #keep: Statement;
  readonly #find: Statement;
  readonly #findLive: Statement;
  readonly #sweep: Statement;

  private constructor(database: Database, meta: EntityMetadata, clock: NonNullable<Dialect['clock']>) {
    this.#database = database;
    const field = (name: string): string => {
      const property = meta.props.find((one) => one.name === name);
      return database.dialect.quote(property?.fieldNames[0] ?? name);
    };
    const [id, request, expiresAt] = [field('id'), field('request'), field('expiresAt')];
    const answer = ['status', 'data', 'entityTag', 'recordKey'].map(field);
    const table = database.tables.table(meta);
    const kept = database.dialect.quote('kept');
    const locked = database.dialect.hasCatalogue ? ' for update skip locked' : '';
    this.#claim = this.#statement(
      (next) => `insert into ${table} as ${kept} (${id}, ${request}, ${expiresAt})
        values (${next()}, ${next()}, ${clock.after(next())})
        on conflict (${id}) do update set ${request} = excluded.${request}, ${expiresAt} = excluded.${expiresAt},
          ${answer.map((name) => `${name} = null`).join(', ')}
        where ${kept}.${expiresAt} <= ${clock.now} returning 1 as claimed`,
    );
    this.#keep = this.#statement(
      (next) => `update ${table} set ${answer.map((name) => `${name} = ${next()}`).join(', ')}
        where ${id} = ${next()}`,
    );
    const find = (next: Next): string =>
      `select ${request}, ${answer.join(', ')} from ${table} where ${id} = ${next()}`;
    this.#find = this.#statement(find);
    this.#findLive = this.#statement((next) => `${find(next)} and ${expiresAt} > ${clock.now}`);
    this.#sweep = this.#statement(
      () => `delete from ${table} where ${id} in (
        select ${id} from ${table} where ${expiresAt} <= ${clock.now} limit ${batch}${locked}) returning 1 as swept`,
    );
  }

  /** Undefined where MikroORM has not been given the entity, or the database cannot keep answers. */
  static on(database: Database): KeptAnswers | undefined {
    const metadata = database.orm.getMetadata();
    const meta = metadata.find(IdempotencyRecord);
    const { clock } = database.dialect;
    if (meta === undefined || clock === undefined || !metadata.getAll().has(meta.class)) return undefined;
    return new KeptAnswers(database, meta, clock);
  }

  /**
   * Whether the mark is the request's own now; an expired one counts as none. Waits for whoever claims it meanwhile.
   * @param time how long it is kept, in milliseconds
   */
  async claim(session: Session, { id, request }: RequestMark, time: number): Promise<boolean> {
    return (await session.write(this.#claim, { values: [id, request, time] })).length > 0;
  }

  /** Keeps the answer under a mark that was claimed in this transaction. */
  async keep(session: Session, { id }: RequestMark, answer: KeptAnswer): Promise<void> {
    const { statusCode, data, entityTag, recordKey } = answer;
    const values = [statusCode, data, entityTag ?? null, recordKey ?? null, id];
    await session.write(this.#keep, { values });
  }

  /** What is kept under a mark that could not be claimed; undefined when there is nothing by now. */
  find(session: Session, mark: RequestMark): Promise<KeptRequest | undefined> {
    return found(session, this.#find, mark);
  }

  /** What is kept under a mark that nobody has tried to claim; undefined when there is nothing, or it has expired. */
  findLive(session: Session, mark: RequestMark): Promise<KeptRequest | undefined> {
    return found(session, this.#findLive, mark);
  }

  /** Deletes some of what has expired. Others may sweep at the same time. @returns whether there may be more */
  async sweep(session: Session): Promise<boolean> {
    return (await session.write(this.#sweep, { values: [] })).length === batch;
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

async function found(
  session: Session,
  statement: Statement,
  { id }: RequestMark,
): Promise<KeptRequest | undefined> {
  const [row] = await session.run(statement, { values: [id] });
  return row === undefined ? undefined : keptIn(row);
}

/** Claimed, but without an answer, no row is ever committed. */
function keptIn([request, status, data, entityTag, recordKey]: Row): KeptRequest | undefined {
  if (typeof data !== 'string') return undefined;
  return {
    request: String(request),
    statusCode: Number(status),
    data,
    entityTag: typeof entityTag === 'string' ? entityTag : undefined,
    recordKey: typeof recordKey === 'string' ? recordKey : undefined,
  };
}
