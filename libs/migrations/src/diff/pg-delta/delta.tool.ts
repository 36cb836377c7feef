import type { Action, FactBase, Plan, RenameCandidate } from '@supabase/pg-delta';
import { quoteIdentifier } from '../../database/quoting.js';
import type { Session } from '../../database/session.js';
import { MigrationFailure } from '../../migration.failure.js';
import { sessionPool } from '../session.pool.js';
import type {
  ComparisonRules,
  PossibleRename,
  SchemaChange,
  SchemaDiffTool,
  SchemaStep,
} from '../schema.diff.tool.js';
import { castsThroughText } from './cast.columns.js';
import { lossesOf, retypedColumnsOf } from './change.losses.js';
import { changedObjects } from './changed.objects.js';
import { inColumnOrder } from './column.order.js';
import { deltaVersion, type DeltaLibrary } from './delta.library.js';
import { tablesOfKeys } from './looked.rows.js';
import { objectName } from './object.name.js';
import { withPlainColumns } from './plain.columns.js';
import { relaxedSchema } from './relaxed.schema.js';
import { readersApart } from './remade.readers.js';
import { inWordsOf, rewrittenForms } from './rewritten.texts.js';
import { requiredColumnsOf } from './required.columns.js';
import { factsOfSchema, withoutDoubles } from './schema.facts.js';
import { sequencePositions } from './sequence.positions.js';
import { withoutOwnPrivileges, withUnmanaged } from './unmanaged.facts.js';
import { withWithheldPrivileges } from './withheld.privileges.js';

/** A schema, and the same in other words of PostgreSQL's. */
interface DeltaSnapshot {
  readonly facts: FactBase;
  readonly forms: readonly FactBase[];
}

/** @supabase/pg-delta: it reads the catalogue of both databases and orders the statements between them. */
export class DeltaTool implements SchemaDiffTool<DeltaSnapshot> {
  readonly version = `@supabase/pg-delta ${deltaVersion}`;

  constructor(private readonly library: DeltaLibrary) {}

  async read(session: Session, schema?: string): Promise<DeltaSnapshot> {
    return { facts: await this.#read(session, schema), forms: [] };
  }

  async readTarget(session: Session, schema?: string): Promise<DeltaSnapshot> {
    const facts = await this.#read(session, schema);
    const [row] = await session.query('select current_user::text as role');
    const rules = { role: String(row?.['role']) };
    const forms = await rewrittenForms(this.library, session, facts, {
      read: (within) => this.#read(within, schema),
      steps: (from, to) => stepsOf(this.#plan(from, to, rules), from, to),
    });
    return { facts, forms };
  }

  async #read(session: Session, schema?: string): Promise<FactBase> {
    // Of a pool the tool uses no more than this.
    const pool: unknown = sessionPool(session, schema);
    const { factBase } = await this.library.extract(pool);
    const facts = withoutDoubles(this.library, factBase);
    return schema === undefined ? facts : factsOfSchema(this.library, facts, schema);
  }

  compare(
    { facts: actual }: DeltaSnapshot,
    { facts: shown, forms }: DeltaSnapshot,
    rules: ComparisonRules,
  ): SchemaChange {
    const { library } = this;
    const target = inWordsOf(library, actual, shown, forms);
    const owned = withoutOwnPrivileges(library, actual, rules);
    const { current: whole, target: complete } = withWithheldPrivileges(
      library,
      owned,
      withUnmanaged(library, owned, target, rules),
      rules,
    );
    const desired = inColumnOrder(library, whole, complete);
    const { plain: current, steps: first } = withPlainColumns(library, whole, desired);
    const plan = this.#plan(current, desired, rules);
    const apart = readersApart(library, plan, current, desired);
    const { before: start, after: end } = apart ?? { before: current, after: desired };
    const between = (from: FactBase, to: FactBase): readonly SchemaStep[] =>
      stepsOf(this.#plan(from, to, rules), from, to);
    const head = [...first, ...(apart === undefined ? [] : between(current, start))];
    const tail = apart === undefined ? [] : between(end, desired);
    const steps = apart === undefined ? stepsOf(plan, current, desired) : between(start, end);
    return {
      steps: [...head, ...steps, ...tail],
      losses: lossesOf(plan, current, desired),
      retyped: retypedColumnsOf(plan, current, desired),
      required: requiredColumnsOf(plan, current, desired),
      possibleRenames: plan.renameCandidates.flatMap(possibleRename),
      divided: (columns) => {
        const relaxed = relaxedSchema(library, start, end, columns);
        return {
          before: [...head, ...between(start, relaxed)],
          after: [...between(relaxed, end), ...tail],
        };
      },
      exported: () => this.#export(owned, this.#plan(whole, desired, rules), rules),
    };
  }

  /** Writes the objects that differ as SQL: what the current schema has beyond itself without them. */
  #export(current: FactBase, { deltas }: Plan, rules: ComparisonRules): readonly string[] {
    const { buildFactBase, encodeId } = this.library;
    const changed = changedObjects(this.library, current, deltas);
    const facts = current.facts().filter(({ id }) => !changed.has(encodeId(id)));
    const without = buildFactBase(
      facts,
      [...current.edges].filter(({ from }) => !changed.has(encodeId(from))),
    );
    const whole = inColumnOrder(this.library, without, current);
    return this.#plan(without, whole, rules).actions.map((action) => stepOf(action, whole).sql);
  }

  #plan(current: FactBase, target: FactBase, { role }: Pick<ComparisonRules, 'role'>): Plan {
    try {
      return this.library.plan(current, target, {
        scope: 'database',
        defaultOwner: role,
        // Roles belong to the server; that they are there is all there is to know.
        assumedRoles: [...rolesOf(current), ...rolesOf(target)],
        renames: 'prompt',
      });
    } catch (cause) {
      // The tool says in an error what it cannot do; there is nothing else to know it by.
      throw new MigrationFailure(cause instanceof Error ? cause.message.split('\n') : String(cause), {
        cause,
      });
    }
  }
}

function stepsOf(plan: Plan, current: FactBase, target: FactBase): readonly SchemaStep[] {
  const cast = castsThroughText(plan, current, target);
  const steps = inOrder(plan.actions).map((action) => {
    const step = stepOf(action, target);
    return { ...step, sql: cast(step.sql) };
  });
  return [...steps, ...sequencePositions(plan, current)];
}

/**
 * Puts actions in order: the tool's, but for two things that it does not know. A label is of use only once it is there,
 * and the catalogue has no dependency on one. Privileges on columns go when those on their table are taken away.
 */
function inOrder(actions: readonly Action[]): readonly Action[] {
  const turn = (action: Action): number => {
    if (addsLabel(action)) return 0;
    const about = [...action.produces, ...action.consumes];
    return about.some((id) => id.kind === 'acl' && id.column !== undefined) ? 2 : 1;
  };
  return actions.toSorted((a, b) => turn(a) - turn(b));
}

function addsLabel({ transactionality }: Action): boolean {
  return transactionality === 'commitBoundaryAfter';
}

function rolesOf(schema: FactBase): readonly string[] {
  return schema.facts().flatMap(({ id }) => (id.kind === 'role' ? [id.name] : []));
}

function stepOf(action: Action, target: FactBase): SchemaStep {
  if (action.transactionality === 'nonTransactional')
    throw new MigrationFailure(`this statement cannot be undone, so it is not run: ${action.sql}`);
  const looksAt = tablesOfKeys(action, target);
  return { sql: onEveryPartition(action), addsLabel: addsLabel(action), looksAt };
}

/**
 * An index of a partitioned table is planned for the parent alone, where it would never become valid, because its
 * parts are not planned. Without ONLY PostgreSQL makes them itself.
 */
function onEveryPartition({ sql, produces }: Action): string {
  const index = produces.find(({ kind }) => kind === 'index');
  if (index?.kind !== 'index') return sql;
  const names = [index.name, quoteIdentifier(index.name)];
  for (const beginning of names.flatMap((name) => [`CREATE INDEX ${name}`, `CREATE UNIQUE INDEX ${name}`]))
    if (sql.startsWith(`${beginning} ON ONLY `))
      return sql.replace(`${beginning} ON ONLY `, () => `${beginning} ON `);
  return sql;
}

/** Only what holds values is worth a question: the rest may go and come. */
function possibleRename({ kind, from, to }: RenameCandidate): readonly PossibleRename[] {
  const holdsValues = kind === 'table' || kind === 'column' || kind === 'typeAttribute';
  return holdsValues ? [{ from: objectName(from), to: objectName(to) }] : [];
}
