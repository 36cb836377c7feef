import type { EntityMetadata } from '@mikro-orm/core';
import type { Database } from '../database.js';
import type { Row } from '../row.writer.js';
import type { Session } from '../session.js';
import type { TableSql } from '../sql/table.sql.js';
import { IdempotencyRecord } from './idempotency.record.js';
import { batch, keptStatements, type KeptStatements } from './kept.statements.js';

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

/** For how many schemas, which requests may choose, statements are kept, and expired answers looked for. */
const keptSchemas = 100;

/** The schemas in which answers were kept since the start, beside that of the configuration. */
const chosenSchemas = new WeakMap<Database, Set<string>>();

/**
 * The table of {@link IdempotencyRecord}. A row is claimed before the record is written, in the same transaction: who
 * claims it again meanwhile waits for the end of that transaction, and who comes later finds the answer.
 */
export class KeptAnswers {
  readonly #database: Database;
  readonly #meta: EntityMetadata;
  readonly #now: () => number;
  /** By the key of the tables; each schema has answers of its own. */
  readonly #statements = new Map<string, KeptStatements>();

  private constructor(database: Database, meta: EntityMetadata, now: () => number) {
    this.#database = database;
    this.#meta = meta;
    this.#now = now;
    this.#in(database.tables);
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
    this.#remember(session.tables);
    const values = [id, request, this.#instant(now + time), this.#instant(now)];
    return (await session.write(this.#in(session.tables).claim, { values })).length > 0;
  }

  /** Keeps the answer under a mark that was claimed in this transaction. */
  async keep(session: Session, { id }: RequestMark, answer: KeptAnswer): Promise<void> {
    const { statusCode, data, entityTag } = answer;
    await session.write(this.#in(session.tables).keep, { values: [statusCode, data, entityTag ?? null, id] });
  }

  /** What is kept under a mark that could not be claimed; undefined when there is nothing by now. */
  find(session: Session, mark: RequestMark): Promise<KeptRequest | undefined> {
    return this.#found(session, mark, 0);
  }

  /** What is kept under a mark that nobody has tried to claim; undefined when there is nothing, or it has expired. */
  findLive(session: Session, mark: RequestMark): Promise<KeptRequest | undefined> {
    return this.#found(session, mark, this.#now());
  }

  /** The schemas in which there may be answers; undefined for that of the configuration. */
  get schemas(): readonly (string | undefined)[] {
    return [undefined, ...(chosenSchemas.get(this.#database) ?? [])];
  }

  /** Deletes some of what has expired. Others may sweep at the same time. @returns whether there may be more */
  async sweep(session: Session): Promise<boolean> {
    const swept = await session.write(this.#in(session.tables).sweep, {
      values: [this.#instant(this.#now())],
    });
    return swept.length === batch;
  }

  async #found(session: Session, { id }: RequestMark, after: number): Promise<KeptRequest | undefined> {
    const [row] = await session.run(this.#in(session.tables).find, { values: [id, this.#instant(after)] });
    return row === undefined ? undefined : keptIn(row);
  }

  #instant(milliseconds: number): unknown {
    return this.#database.dialect.bind(new Date(milliseconds));
  }

  #remember({ chosen }: TableSql): void {
    if (chosen === undefined || chosen === this.#database.tables.chosen) return;
    const schemas = chosenSchemas.get(this.#database) ?? new Set();
    chosenSchemas.set(this.#database, schemas);
    if (schemas.size < keptSchemas) schemas.add(chosen);
  }

  #in(tables: TableSql): KeptStatements {
    const known = this.#statements.get(tables.key) ?? keptStatements(this.#database, this.#meta, tables);
    if (this.#statements.size >= keptSchemas) this.#statements.clear();
    this.#statements.set(tables.key, known);
    return known;
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
