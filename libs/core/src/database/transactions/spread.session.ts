import type { SessionContext } from '@mikro-orm/core';

/** The mark of variables that other servers must hear of. MikroORM copies variables, and their marks with them. */
const spread = Symbol('spread over servers');

/**
 * The first statement of a transaction on Citus: from then on workers hear of variables that are set by `SET LOCAL`. Of
 * `set_config` they never do.
 */
export const spreading = "set local citus.propagate_set_commands = 'local'";

/** A session that workers of Citus hear of: in a transaction, each variable in a statement of its own. */
export function spreadSession(session: SessionContext): SessionContext {
  return { ...session, variables: { ...session.variables, [spread]: true } };
}

/** True if a session must be heard of by workers of Citus, for which a single message would not do. */
export function isSpread(session: SessionContext | undefined): boolean {
  return session?.variables !== undefined && spread in session.variables;
}

/** A variable that an extension, or nobody, has defined: workers know it by what they are told alone. */
const ownVariable = /^[a-z_][\w$]*(?:\.[a-z_][\w$]*)+$/i;

/** True if workers must be told of a setting. The path of schemas and the role hold on the coordinator, and reach them by that. */
export function isToldToWorkers(name: string): boolean {
  return name !== 'role' && name !== 'search_path';
}

/**
 * Writes the statement that sets a variable until the transaction ends. It takes no parameters, so that the value is a literal.
 *
 * @throws TypeError for a name that no variable may have, and a value that no text may be
 */
export function setLocalText(name: string, value: string): string {
  if (!ownVariable.test(name))
    throw new TypeError('A variable of row level security has a name like app.tenant');
  // It would end the statement in the middle.
  if (value.includes('\0')) throw new TypeError(`The variable ${name} has a character that no text may have`);
  const quoted = name.split('.').map((part) => `"${part}"`);
  return `set local ${quoted.join('.')} = E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
