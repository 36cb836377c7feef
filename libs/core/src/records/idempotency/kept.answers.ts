import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { Database } from '../../database/database.js';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import type { Row } from '../../sql/row.layout.js';
import type { Session } from '../../visibility/session.js';
import type { Dialect } from '../../sql/dialect.js';
import type { Statement } from '../../sql/statement.js';
import type { TableSql } from '../../sql/table.sql.js';
import { keptMetadata } from './idempotency.record.js';
import { batch, keptStatements, type KeptStatements } from './kept.statements.js';

/** The marks by which a request is known again. */
export interface RequestMark {
  /** A hash of the key, the endpoint and the sender. */
  readonly id: string;
  /** A hash of everything else that makes it the request it is. */
  readonly request: string;
  /** The value of the part in which the answer is kept, as it is bound; undefined where the table is whole. */
  readonly part?: unknown;
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

/** The request and answer under a mark that somebody else has claimed. */
export interface KeptRequest extends KeptAnswer {
  readonly request: string;
}

/** For how many schemas, which requests may choose, statements are kept, and expired answers looked for. */
const keptSchemas = 100;

/** The schemas in which answers were kept since the start, beside that of the configuration. */
const chosenSchemas = new WeakMap<Database, Set<string>>();

/**
 * The table of `IdempotencyRecord`. A row is claimed before the record is written, in the same transaction: who
 * claims it again meanwhile waits for the end of that transaction, and who comes later finds the answer.
 */
export class KeptAnswers {
  readonly #database: Database;
  readonly #meta: EntityMetadata;
  readonly #clock: NonNullable<Dialect['clock']>;
  /** The statements by the key of the tables; each schema has answers of its own. */
  readonly #statements = new Map<string, KeptStatements>();

  private constructor(database: Database, meta: EntityMetadata, clock: NonNullable<Dialect['clock']>) {
    this.#database = database;
    this.#meta = meta;
    this.#clock = clock;
    this.#in(database.tables);
  }

  /** Undefined where MikroORM has not been given the entity, or the database cannot keep answers. */
  static on(database: Database): KeptAnswers | undefined {
    const meta = keptMetadata(database.orm.getMetadata());
    const { clock } = database.dialect;
    if (meta === undefined || clock === undefined) return undefined;
    return new KeptAnswers(database, meta, clock);
  }

  /**
   * Claims a mark. True if it is the request's own now; an expired one counts as none. Waits for whoever claims it
   * meanwhile.
   * @param time how long it is kept, in milliseconds
   */
  async claim(session: Session, { id, request, part }: RequestMark, time: number): Promise<boolean> {
    this.#remember(session.tables);
    const values = [...this.#named(part), id, request, time, time];
    const [claimed] = await session.write(this.#in(session.tables).claim, { values });
    return Number(claimed?.[0]) === 1;
  }

  /** Keeps the answer under a mark that was claimed in this transaction. */
  async keep(session: Session, { id, part }: RequestMark, answer: KeptAnswer): Promise<void> {
    const { statusCode, data, entityTag, recordKey } = answer;
    const values = [statusCode, data, entityTag ?? null, recordKey ?? null, ...this.#named(part), id];
    await session.write(this.#in(session.tables).keep, { values });
  }

  /** Finds what is kept under a mark that could not be claimed; undefined when there is nothing by now. */
  find(session: Session, mark: RequestMark): Promise<KeptRequest | undefined> {
    return this.#found(session, this.#in(session.tables).find, mark);
  }

  /** Finds what is kept under a mark that nobody has tried to claim; undefined when there is nothing, or it has expired. */
  findLive(session: Session, mark: RequestMark): Promise<KeptRequest | undefined> {
    return this.#found(session, this.#in(session.tables).findLive, mark);
  }

  /** The schemas in which answers were kept since the start, beside that of the configuration and those of tenants. */
  get schemas(): Iterable<string> {
    return chosenSchemas.get(this.#database) ?? [];
  }

  /**
   * Deletes some of what has expired, in a statement for each part: none waits for rows of another. Others may sweep at the same
   * time. @returns whether there may be more
   */
  async sweep(session: Session): Promise<boolean> {
    const { parts } = this.#in(session.tables);
    if (parts === undefined) return this.#sweepPart(session, []);
    let mayBeMore = false;
    for (const [part] of await session.run(parts, {})) {
      const isMore = await this.#sweepPart(session, [part, part]);
      mayBeMore ||= isMore;
    }
    return mayBeMore;
  }

  async #sweepPart(session: Session, values: readonly unknown[]): Promise<boolean> {
    const { sweep, left } = this.#in(session.tables);
    const { length } = await session.write(sweep, { values });
    return left === undefined ? length === batch : (await session.write(left, { values })).length > 0;
  }

  /** The property that tells the part of an answer; undefined where the table is whole. */
  get parting(): EntityProperty | undefined {
    return partingPropertiesOf(this.#meta)[0];
  }

  get meta(): EntityMetadata {
    return this.#meta;
  }

  #named(part: unknown): readonly unknown[] {
    return this.parting === undefined ? [] : [part];
  }

  async #found(
    session: Session,
    statement: Statement,
    { id, part }: RequestMark,
  ): Promise<KeptRequest | undefined> {
    const [row] = await session.run(statement, { values: [...this.#named(part), id] });
    return row === undefined ? undefined : keptIn(row);
  }

  #remember({ chosen }: TableSql): void {
    if (chosen === undefined || chosen === this.#database.tables.chosen) return;
    const schemas = chosenSchemas.get(this.#database) ?? new Set();
    chosenSchemas.set(this.#database, schemas);
    if (schemas.size < keptSchemas) schemas.add(chosen);
  }

  #in(tables: TableSql): KeptStatements {
    const known = this.#statements.get(tables.key) ?? this.#written(tables);
    if (this.#statements.size >= keptSchemas) this.#statements.clear();
    this.#statements.set(tables.key, known);
    return known;
  }

  #written(tables: TableSql): KeptStatements {
    return keptStatements(this.#database.dialect, this.#clock, this.#meta, tables);
  }
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
