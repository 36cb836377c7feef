import { AppliedDigest } from '../applied.digest.js';
import type { CommandContext } from '../commands/command.context.js';
import { commands, type CommandName } from '../commands/command.table.js';
import type { TargetDatabase } from '../database/target.database.js';
import { loadDelta } from '../diff/pg-delta/delta.library.js';
import { DeltaTool } from '../diff/pg-delta/delta.tool.js';
import { fillExpressions } from '../gate/fill.expressions.js';
import type { SourceText } from '../sources/source.text.js';
import type { AppliedTarget, MigrationDialect, MigrationWork } from './migration.dialect.js';

const deltaTool = async (): Promise<DeltaTool> => new DeltaTool(await loadDelta());

/** PostgreSQL and PGlite: a plan is applied in one transaction. */
export class PostgresqlDialect implements MigrationDialect {
  constructor(readonly ofTenants: TargetDatabase) {}

  run(command: CommandName, work: MigrationWork): Promise<readonly string[]> {
    // They are read once: what is remembered is what was applied.
    let read: ReturnType<MigrationWork['sources']> | undefined;
    const sources = (): ReturnType<MigrationWork['sources']> => (read ??= work.sources());
    return commands[command](this.context({ ...work, sources }));
  }

  applied(sources: readonly SourceText[]): AppliedTarget {
    const digest = new AppliedDigest(sources);
    return {
      isCurrent: () => digest.isCurrent(this.ofTenants),
      isThere: () => digest.isThere(this.ofTenants),
    };
  }

  /** The objects that commands work with. */
  context({
    sources,
    fills,
    lastTarget,
    rules,
    diffTool = deltaTool,
    isAskedFor,
  }: MigrationWork): CommandContext {
    return {
      database: this.ofTenants,
      tool: diffTool,
      sources,
      fills: () => fillExpressions(fills),
      lastTarget,
      rules,
      keep: async (session) => new AppliedDigest(await sources()).keep(session, isAskedFor),
    };
  }
}
