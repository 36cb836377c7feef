import type { Node } from 'libpg-query';

/** The name of what a statement defines or changes: a relation, or a list of names. */
interface Subject {
  readonly relation?: { readonly schemaname?: string };
  readonly view?: { readonly schemaname?: string };
  readonly sequence?: { readonly schemaname?: string };
  readonly typevar?: { readonly schemaname?: string };
  readonly into?: { readonly rel?: { readonly schemaname?: string } };
  readonly funcname?: unknown;
  readonly typeName?: unknown;
  readonly domainname?: unknown;
  readonly defnames?: unknown;
  readonly schemaname?: string;
}

/**
 * Finds the schema of PostgreSQL itself that a statement defines something in. The diff tool does not look there, so it
 * would be left out without a word; in `pg_temp` it would be gone with the session.
 */
export function reservedSchema(statement: object): string | undefined {
  const { relation, view, sequence, typevar, into, schemaname, ...lists } = statement as Subject;
  const names = [lists.funcname, lists.typeName, lists.domainname, lists.defnames].map(firstOfTwo);
  const relations = [relation, view, sequence, typevar, into?.rel].map((one) => one?.schemaname);
  return [schemaname, ...relations, ...names].find(
    (name) => name !== undefined && (name.startsWith('pg_') || name === 'information_schema'),
  );
}

/** Gives the schema of a qualified name. */
function firstOfTwo(names: unknown): string | undefined {
  if (!isList(names)) return undefined;
  const [first, second] = names;
  return second !== undefined && first !== undefined && 'String' in first ? first.String.sval : undefined;
}

/** In some statements a field of the same name is no list. */
function isList(value: unknown): value is readonly Node[] {
  return Array.isArray(value);
}
