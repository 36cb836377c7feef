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
    return commands[command](this.context(work));
  }

  applied(sources: readonly SourceText[]): AppliedTarget {
    return new AppliedDigest(this.ofTenants, sources);
  }

  /** The objects that commands work with. */
  context({ sources, fills, lastTarget, rules, diffTool = deltaTool }: MigrationWork): CommandContext {
    return {
      database: this.ofTenants,
      tool: diffTool,
      sources,
      fills: () => fillExpressions(fills),
      lastTarget,
      rules,
    };
  }
}
