import type { Fact, FactBase, StableId } from '@supabase/pg-delta';
import { isDatabaseError } from '../../database/database.error.js';
import type { Session } from '../../database/session.js';
import type { SchemaStep } from '../schema.diff.tool.js';
import type { DeltaLibrary } from './delta.library.js';

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
      const without = withoutFacts(library, last, wanted);
      try {
        for (const { sql } of [...steps(last, without), ...steps(without, last)]) await within.query(sql);
      } catch (error) {
        // The same statement of a plan says what is wrong with it, if there ever is one.
        if (isDatabaseError(error)) return forms;
        throw error;
      }
      const next = await read(within);
      const known = last;
      wanted = next.facts().filter(({ id }) => known.has(id) && known.hashOf(id) !== next.hashOf(id));
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
    if (!current.has(id)) return fact;
    const hash = current.hashOf(id);
    const form = forms.find((one) => one.has(id) && one.hashOf(id) === hash)?.get(id);
    return form === undefined ? fact : { ...fact, payload: form.payload };
  });
  return buildFactBase(facts, [...target.edges]);
}

/** A constant, a word such as CURRENT_DATE, or a function of nothing but a sequence: it is read as it is written. */
const plainDefault =
  /^(?:-?[\d.]+|true|false|CURRENT_\w+|'(?:[^']|'')*'(?:::[^:]+)?|[\w."]+\((?:'(?:[^']|'')*'::regclass)?\))$/;

/** An index over columns alone. */
const plainIndex = / USING \w+ \([^()]*\)$/;

/** True for what has a text that PostgreSQL writes from an expression or a query, which is more than a constant or a name. */
function holdsExpression({ id, payload }: Fact): boolean {
  const { type, generatedExpr = null } = payload;
  const text = payload['def'] as string;
  switch (id.kind) {
    case 'column':
      return generatedExpr !== null;
    case 'constraint':
      return type === 'c' || type === 'x';
    case 'default':
      return !plainDefault.test(payload['expr'] as string);
    case 'function':
    case 'procedure':
      return text.includes('BEGIN ATOMIC');
    case 'index':
      return !plainIndex.test(text);
    case 'trigger':
      return text.includes(' WHEN (');
    case 'materializedView':
    case 'policy':
    case 'rule':
    case 'view':
      return true;
    default:
      return false;
  }
}

/** A schema without these, their parts and all that depends on them. */
function withoutFacts(
  { buildFactBase, encodeId }: DeltaLibrary,
  schema: FactBase,
  facts: readonly Fact[],
): FactBase {
  const gone = new Set<string>();
  const open: StableId[] = facts.map(({ id }) => id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (gone.has(encodeId(id))) continue;
    gone.add(encodeId(id));
    open.push(...schema.childrenOf(id).map((child) => child.id));
    open.push(...schema.incomingEdges(id).flatMap(({ from, kind }) => (kind === 'depends' ? [from] : [])));
  }
  return buildFactBase(
    schema.facts().filter(({ id }) => !gone.has(encodeId(id))),
    schema.edges.filter(({ from, to }) => !gone.has(encodeId(from)) && !gone.has(encodeId(to))),
  );
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
