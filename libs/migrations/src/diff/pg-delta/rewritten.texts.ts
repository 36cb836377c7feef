import type { Fact, FactBase } from '@supabase/pg-delta';
import { isDatabaseError } from '../../database/database.error.js';
import { withinSavepoint, type Session } from '../../database/session.js';
import { MigrationFailure } from '../../migration.failure.js';
import type { SchemaStep } from '../schema.diff.tool.js';
import type { DeltaLibrary } from './delta.library.js';
import { expressionsOf, holdsExpression } from './expression.texts.js';
import { withoutFacts } from './schema.facts.js';

/** The parts of the tool that texts are written anew with. */
export interface Rewriting {
  readonly read: (session: Session) => Promise<FactBase>;
  readonly steps: (from: FactBase, to: FactBase) => readonly SchemaStep[];
}

/** The most times that texts are written anew: PostgreSQL has mostly come to its last words at once. */
const most = 4;

/**
 * Gives the schema that a session shows with the other words that PostgreSQL has for it. It shows an expression in words that it
 * reads in another way than those of the author, e.g. `a between 1 and 2 and b between 3 and 4`, or `name in ('a', 'b')` of a
 * varchar. So what a plan makes of its words is shown in others again, until they stay. The session shows the same afterwards.
 */
export async function rewrittenForms(
  library: DeltaLibrary,
  session: Session,
  first: FactBase,
  { read, steps }: Rewriting,
): Promise<readonly FactBase[]> {
  if (!first.facts().some(holdsExpression)) return [];
  const forms: FactBase[] = [];
  return undone(session, async (within) => {
    // Functions may come before what they call.
    await within.query(`select set_config('check_function_bodies', 'off', true)`);
    let last = first;
    let wanted = first.facts().filter(holdsExpression);
    while (wanted.length > 0 && forms.length < most) {
      const known = last;
      await madeAnew(within, known, wanted, async (facts) => {
        const without = withoutFacts(library, known, facts);
        for (const { sql } of [...steps(known, without), ...steps(without, known)]) await within.query(sql);
      });
      const next = await read(within);
      const isOther = ({ id }: Fact): boolean => known.has(id) && known.hashOf(id) !== next.hashOf(id);
      wanted = next.facts().filter((fact) => holdsExpression(fact) && isOther(fact));
      if (wanted.length > 0) forms.push(next);
      last = next;
    }
    return forms;
  });
}

/** Gives the target in the words that the current schema has for the same, where these are some of its forms. */
export function inWordsOf(
  { buildFactBase }: DeltaLibrary,
  current: FactBase,
  target: FactBase,
  forms: readonly FactBase[],
): FactBase {
  if (forms.length === 0) return target;
  const facts = target.facts().map((fact): Fact => {
    const { id } = fact;
    if (!current.has(id) || !holdsExpression(fact)) return fact;
    const hash = current.hashOf(id);
    const form = forms.find((one) => one.has(id) && one.hashOf(id) === hash)?.get(id);
    return form === undefined ? fact : { ...fact, payload: { ...fact.payload, ...expressionsOf(form) } };
  });
  return buildFactBase(facts, [...target.edges]);
}

/**
 * Has objects made anew. Where PostgreSQL refuses, those that can be are made anew without the others. One that cannot be
 * alone, such as a constraint that is inherited, too, goes and comes with what it is a part of. If not even that is possible, it is left.
 */
async function madeAnew(
  within: Session,
  schema: FactBase,
  facts: readonly Fact[],
  make: (facts: readonly Fact[]) => Promise<void>,
): Promise<void> {
  try {
    await withinSavepoint(within, () => make(facts));
    return;
  } catch (error) {
    // The same statement of a plan says what is wrong with it, if there ever is one.
    if (!isRefusal(error)) throw error;
  }
  const half = Math.ceil(facts.length / 2);
  const parts = facts.length > 1 ? [facts.slice(0, half), facts.slice(half)] : [wholesOf(schema, facts)];
  for (const part of parts) if (part.length > 0) await madeAnew(within, schema, part, make);
}

/** Gives what these are parts of, but no whole schema. */
function wholesOf(schema: FactBase, facts: readonly Fact[]): readonly Fact[] {
  return facts.flatMap(({ parent }) => {
    const whole = parent === undefined ? undefined : schema.get(parent);
    return whole === undefined || whole.id.kind === 'schema' ? [] : [whole];
  });
}

/** True if a statement is not possible. One that was stopped, or a server without room, says nothing about it. */
function isRefusal(error: unknown): boolean {
  if (isDatabaseError(error)) return !/^(?:08|53|57|58)/.test(error.code);
  return error instanceof MigrationFailure;
}

/** Runs work in a transaction, or a part of one, that is taken back. */
async function undone<T>(session: Session, work: (within: Session) => Promise<T>): Promise<T> {
  const [begin, end] = session.isTransaction
    ? ['savepoint rewriting', 'rollback to savepoint rewriting']
    : ['begin', 'rollback'];
  await session.query(begin);
  try {
    return await work({ isTransaction: true, query: (text, values) => session.query(text, values) });
  } finally {
    await session.query(end);
  }
}
