import { isDatabaseError, sqlStates } from '../database/database.error.js';
import type { ForgivingSession } from '../database/session.js';
import { told } from '../database/told.refusals.js';
import type { SchemaChange, SchemaDiffTool, SchemaStep } from '../diff/schema.diff.tool.js';
import { MigrationFailure } from '../migration.failure.js';
import { seeingAllRows } from '../safety/hidden.rows.js';
import { runFills } from '../safety/run.fills.js';
import { renameFirst } from '../safety/renames.js';
import { schemaNames } from '../schemas/schema.names.js';
import { lockTables } from '../safety/table.locks.js';
import type { CommandRules } from './command.context.js';
import { filledChange, type FilledChange } from './filled.change.js';
import type { TargetSchema } from './last.target.js';
import { changeTo } from './target.schema.js';

/** One process at a time applies; the key is any that nobody else takes. */
const applyLock = 1_315_206_222;

/** The most plans that may follow each other: some differences show only after others are gone. */
const mostPlans = 3;

/** A plan on its way into the database, in the transaction of the session. */
export class AppliedChange {
  readonly #statements: string[] = [];

  constructor(
    private readonly session: ForgivingSession,
    private readonly tool: SchemaDiffTool,
    private readonly target: TargetSchema,
    private readonly rules: CommandRules,
    private readonly expressions: ReadonlyMap<string, string>,
  ) {}

  /** Applies plans until nothing is left to do. @throws MigrationFailure, and nothing may be committed then */
  whole(): Promise<readonly string[]> {
    return told(() => this.#whole());
  }

  /** Only the labels of enums that the whole plan adds. */
  labels(): Promise<readonly string[]> {
    return told(() => this.#labels());
  }

  async #whole(): Promise<readonly string[]> {
    await this.#alone();
    await this.#renamed();
    const broken = new Set(await this.#brokenIndexes());
    for (let plans = 0; ; plans++) {
      const change = await this.#change();
      if (change.steps.length === 0) break;
      if (plans === mostPlans) throw this.#unfinished(change);
      const { before, fills, after } = await this.#judged(change);
      for (const step of before) await this.#run(step);
      const filled = fills.map(({ column }) => column);
      const values = await seeingAllRows(this.session, filled, () => runFills(this.session, fills));
      this.#statements.push(...values);
      for (const step of after) await this.#run(step);
    }
    const newlyBroken = (await this.#brokenIndexes()).filter((name) => !broken.has(name));
    if (newlyBroken.length > 0)
      throw new MigrationFailure(
        `nothing was changed: these indexes did not become valid: ${newlyBroken.join(', ')}`,
      );
    return this.#statements;
  }

  async #labels(): Promise<readonly string[]> {
    const { session } = this;
    await this.#alone();
    // What is renamed first is for the plan alone: the labels are committed by themselves.
    await session.query('savepoint labels');
    await this.#renamed();
    const change = await this.#change();
    await this.#judged(change);
    await session.query('rollback to savepoint labels');
    this.#statements.length = 0;
    for (const step of change.steps) if (step.addsLabel) await this.#run(step);
    return this.#statements;
  }

  /** Waits for others that apply, then sets how long a statement may wait for a lock that somebody else holds. */
  async #alone(): Promise<void> {
    const { session, rules } = this;
    await session.query(`select set_config('lock_timeout', $1, true)`, [String(rules.waitTimeout)]);
    try {
      // Schemas of tenants are changed at the same time.
      await session.query(`select pg_advisory_xact_lock($1, coalesce(hashtext($2::text), 0))`, [
        applyLock,
        rules.schema ?? null,
      ]);
    } catch (error) {
      if (!isDatabaseError(error) || error.code !== sqlStates.lockNotAvailable) throw error;
      throw new MigrationFailure(
        `nothing was changed: another process has been applying for more than ${rules.waitTimeout} ms`,
        { cause: error },
      );
    }
    await session.query(`select set_config('lock_timeout', $1, true)`, [String(rules.lockTimeout)]);
    await this.#stillThere();
    // Functions may come before what they call.
    await session.query(`select set_config('check_function_bodies', 'off', true)`);
    await session.query(`select set_config('standard_conforming_strings', 'on', true)`);
  }

  /** A tenant may have left since schemas were listed. Without its schema a change would make it again. */
  async #stillThere(): Promise<void> {
    const { schema } = this.rules;
    if (schema === undefined || (await schemaNames(this.session)).includes(schema)) return;
    throw new MigrationFailure('nothing was changed: there is no such schema any more');
  }

  async #renamed(): Promise<void> {
    const { session, rules } = this;
    this.#statements.push(...(await renameFirst(session, rules.renames, rules.schema)));
  }

  #change(): Promise<SchemaChange> {
    return changeTo(this.session, this.tool, this.target, this.rules);
  }

  async #judged(change: SchemaChange): Promise<FilledChange> {
    const { session, rules, expressions } = this;
    const retyped = rules.allowDestructive ? [] : change.retyped;
    const tables = [...retyped, ...change.required];
    await lockTables(session, tables);
    const filled = await seeingAllRows(session, tables, () =>
      filledChange(session, change, rules, expressions),
    );
    if (filled.objections.length > 0) throw new MigrationFailure(filled.objections);
    return filled;
  }

  async #run({ sql, looksAt = [] }: SchemaStep): Promise<void> {
    const { session } = this;
    await told(() => seeingAllRows(session, looksAt, () => session.query(sql)), sql);
    this.#statements.push(sql);
  }

  #unfinished({ steps }: SchemaChange): MigrationFailure {
    return new MigrationFailure([
      'nothing was changed: even after this plan the schema would not be the target; these statements would be left:',
      ...steps.map(({ sql }) => `  ${sql}`),
    ]);
  }

  /** Indexes that PostgreSQL does not use, by name. */
  async #brokenIndexes(): Promise<readonly string[]> {
    const rows = await this.session.query(
      'select indexrelid::regclass::text as name from pg_index where not indisvalid',
    );
    return rows.map(({ name }) => String(name));
  }
}
