import { apply } from '../commands/apply.command.js';
import type { Command, CommandContext } from '../commands/command.context.js';
import { plan } from '../commands/plan.command.js';
import type { Session } from '../database/session.js';
import { digestOf } from '../sources/source.digest.js';
import { runInSchemas } from './schema.run.js';
import { SchemaStates } from './schema.states.js';
import type { TenantNames } from './tenant.names.js';

/** A command that there is for the schemas of tenants. */
export type TenantCommand = 'plan' | 'apply';

const tenantCommands = { plan, apply } as const satisfies Record<TenantCommand, Command>;

/** A schema of a tenant, and how far it is. */
export interface TenantSchema {
  readonly name: string;
  /** `current` where the target of now was applied last, `behind` where another one was, `unknown` where none of ours was. */
  readonly state: 'current' | 'behind' | 'unknown';
}

/** Is given a line about each schema as it ends. */
export type TellProgress = (line: string) => void;

const silently: TellProgress = () => undefined;

/** The work for the schemas of tenants: each gets the tables that names without a schema mean in the target. */
export interface TenantMigrations {
  /** Lists the schemas that are there, in the order of their names. */
  list(): Promise<readonly TenantSchema[]>;
  /**
   * Plans or applies, and gives the lines of all schemas, behind a comment with the name of each.
   *
   * @param wanted names, and patterns with `*`; by default all schemas
   * @throws MigrationFailure with a line for each that failed; the others are done
   */
  run(command: TenantCommand, wanted?: readonly string[], tell?: TellProgress): Promise<readonly string[]>;
  /** Makes schemas with the target in them: each whole, or not at all. @throws MigrationFailure */
  add(names: readonly string[], tell?: TellProgress): Promise<readonly string[]>;
}

/** Brings the target to the schemas of tenants. */
export class TenantMigrator implements TenantMigrations {
  readonly #states: SchemaStates;

  constructor(
    private readonly context: CommandContext,
    private readonly names: TenantNames,
    private readonly atOnce: number,
  ) {
    this.#states = new SchemaStates(context.database);
  }

  async list(): Promise<readonly TenantSchema[]> {
    const digest = await this.#digest();
    const kept = await this.#states.kept();
    return (await this.names.there()).map((name) => {
      const last = kept.get(name);
      return { name, state: last === undefined ? 'unknown' : last === digest ? 'current' : 'behind' };
    });
  }

  async run(
    command: TenantCommand,
    wanted?: readonly string[],
    tell?: TellProgress,
  ): Promise<readonly string[]> {
    return this.#run(command, await this.names.there(wanted), false, tell);
  }

  async add(names: readonly string[], tell?: TellProgress): Promise<readonly string[]> {
    return this.#run('apply', await this.names.free(names), true, tell);
  }

  /** Applies to those that had another target last. @throws MigrationFailure */
  async applyWhenChanged(tell?: TellProgress): Promise<readonly string[]> {
    const behind = (await this.list()).filter(({ state }) => state !== 'current');
    return this.#run(
      'apply',
      behind.map(({ name }) => name),
      false,
      tell,
    );
  }

  async #run(
    command: TenantCommand,
    schemas: readonly string[],
    areNew: boolean,
    tell: TellProgress = silently,
  ): Promise<readonly string[]> {
    if (schemas.length === 0) return [];
    // They are read once: what is remembered is what was applied.
    const sources = await this.context.sources();
    const digest = digestOf(sources);
    if (command === 'apply') await this.#states.prepare();
    const keep = (session: Session, schema: string): Promise<void> =>
      this.#states.keep(session, schema, digest);
    const context = { ...this.context, sources: () => Promise.resolve(sources) };
    const { atOnce } = this;
    return runInSchemas(tenantCommands[command], context, { schemas, areNew, atOnce, keep, tell });
  }

  async #digest(): Promise<string> {
    return digestOf(await this.context.sources());
  }
}
