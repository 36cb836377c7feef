import { createRequire } from 'node:module';
import type { CommandRules } from '../commands/command.context.js';
import type { CommandName } from '../commands/command.table.js';
import type { AppliedTarget, MigrationDialect, MigrationWork } from '../dialects/migration.dialect.js';
import type { SchemaDiffTool } from '../diff/schema.diff.tool.js';
import { digestOf } from '../sources/source.digest.js';
import type { Fills } from '../safety/fills.js';
import type { SourceText } from '../sources/source.text.js';
import { AppliedProgress } from './applied.progress.js';
import { applyStepwise } from './apply.stepwise.js';
import { fillExpressions } from './fill.expressions.js';
import { checkFills } from './known.fills.js';
import type { MariaDbDatabase, MariaDbSession } from './mariadb.database.js';
import { MariaDbTool } from './mariadb.tool.js';
import { loadTarget } from './shadow.target.js';
import { gatedStatements } from './target.gate.js';
import { triedPlan, type FilledRules } from './tried.plan.js';

const manifest = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

type Answer = (
  session: MariaDbSession,
  tool: SchemaDiffTool,
  work: MigrationWork,
  rules: FilledRules,
) => Promise<readonly string[]>;

const none: ReadonlyMap<string, string> = new Map();

/** MariaDB: nothing of a plan is one transaction, so that it is tried beside, and applied statement by statement. */
export class MariaDbDialect implements MigrationDialect {
  readonly ofTenants = undefined;

  constructor(private readonly database: MariaDbDatabase) {}

  async run(command: CommandName, work: MigrationWork): Promise<readonly string[]> {
    const fills = command === 'version' ? none : await fillExpressions(work.fills);
    const tool =
      work.diffTool === undefined ? new MariaDbTool(unmanagedBy(work.rules)) : await work.diffTool();
    return this.database.connected((session) =>
      answers[command](session, tool, work, { ...work.rules, fills }),
    );
  }

  applied(sources: readonly SourceText[]): AppliedTarget {
    const digest = digestOf(sources);
    const kept = (): Promise<unknown> =>
      this.database.connected((session) => new AppliedProgress(session).digest());
    return {
      isCurrent: async () => (await kept()) === digest,
      isThere: async () => (await kept()) !== undefined,
    };
  }
}

const answers: Readonly<Record<CommandName, Answer>> = {
  version: async (session, tool) => {
    const [row] = await session.query('select version() as version');
    const server = `MariaDB ${String(row?.['version'])}`;
    return [`@nest-endpoints/migrations ${manifest.version}`, tool.version, server];
  },
  check: async (session, tool, work) => {
    await triedTarget(session, tool, work.fills, await work.sources());
    return [];
  },
  plan: async (session, tool, work, rules) => {
    const target = await targetOf(session, tool, work);
    const { steps, objections } = await triedPlan(session, tool, target, rules);
    return [...objections.map((line) => `-- ${line}`), ...steps.map(({ sql }) => sql)];
  },
  plan_export: async (session, tool, work, rules) => {
    const target = await targetOf(session, tool, work);
    return (await triedPlan(session, tool, target, rules)).change.exported();
  },
  apply: async (session, tool, work, rules) => {
    const sources = await work.sources();
    const target = await targetOf(session, tool, { ...work, sources: () => Promise.resolve(sources) });
    return applyStepwise(session, tool, target, { ...rules, digest: digestOf(sources) });
  },
};

async function targetOf(
  session: MariaDbSession,
  tool: SchemaDiffTool,
  work: MigrationWork,
): Promise<unknown> {
  const sources = await work.sources();
  const make = async () => ({
    snapshot: await triedTarget(session, tool, work.fills, sources),
    managesPrivileges: false,
  });
  return (await work.lastTarget.of(sources, make)).snapshot;
}

function triedTarget(
  session: MariaDbSession,
  tool: SchemaDiffTool,
  fills: Fills,
  sources: readonly SourceText[],
): Promise<unknown> {
  const statements = gatedStatements(sources);
  return session.beside(async () => {
    await loadTarget(session, statements);
    await checkFills(session, Object.keys(fills));
    return tool.read(session);
  });
}

/** A schema of MariaDB is the database itself: what stands before the name of a table says nothing. */
function unmanagedBy({ unmanagedSchemas, unmanagedTables }: CommandRules): (name: string) => boolean {
  const tables = new Set([...unmanagedTables].map((name) => name.slice(name.indexOf('.') + 1)));
  return (name) => tables.has(name) || unmanagedSchemas.has(name);
}
