import type { Session } from '../database/session.js';
import { ownTable } from './mariadb.schema.js';

/** The progress of an apply that did not end. */
export interface CutApply {
  readonly done: number;
  readonly planned: number;
}

/** Keeps in the database which target was applied, and how far an apply came: nothing there is one transaction. */
export class AppliedProgress {
  constructor(private readonly session: Session) {}

  async #make(): Promise<void> {
    await this.session.query(
      `create table if not exists ${ownTable} (only_row tinyint not null primary key check (only_row = 1),
       digest varchar(64), planned int not null default 0, done int not null default 0)`,
    );
    await this.session.query(`insert ignore into ${ownTable} (only_row) values (1)`);
  }

  async digest(): Promise<unknown> {
    return (await this.#row())?.['digest'] ?? undefined;
  }

  /** Keeps which target is there, now that it is. */
  async keepDigest(digest: string): Promise<void> {
    await this.#make();
    await this.session.query(`update ${ownTable} set digest = ?`, [digest]);
  }

  /** The apply that was cut last; undefined when the last one ended. */
  async cut(): Promise<CutApply | undefined> {
    const row = await this.#row();
    const [done, planned] = [Number(row?.['done'] ?? 0), Number(row?.['planned'] ?? 0)];
    return done < planned ? { done, planned } : undefined;
  }

  /** From here on nobody knows which target is there; that there was one is still known. */
  async begin(planned: number): Promise<void> {
    await this.#make();
    await this.session.query(
      `update ${ownTable} set planned = ?, done = 0, digest = if(digest is null, null, '')`,
      [planned],
    );
  }

  async came(done: number): Promise<void> {
    await this.session.query(`update ${ownTable} set done = ?`, [done]);
  }

  async end(): Promise<void> {
    await this.session.query(`update ${ownTable} set planned = 0, done = 0`);
  }

  async #row(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const there = await this.session.query(
      'select 1 as yes from information_schema.tables where table_schema = database() and table_name = ?',
      [ownTable],
    );
    if (there.length === 0) return undefined;
    const [row] = await this.session.query(`select digest, planned, done from ${ownTable}`);
    return row;
  }
}
