import { BasePostgreSqlPlatform } from '@mikro-orm/sql';
import { operatorsOf, termOperator, type Column } from '../model/column.js';
import { operatorTable, type Comparison, type Operator } from '../model/operator.js';
import { storedFields, storedType } from '../metadata/stored.fields.js';
import { isForeign } from '../metadata/suggested.column.js';
import type { Database } from '../database/database.js';
import { databaseCode } from '../database/errors/database.error.js';
import type { Reach } from '../database/reach.problem.js';
import { StatementWriter } from '../sql/statement.js';
import { Session } from '../visibility/session.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { ColumnUse } from './index.advice.js';

/** The uses of columns by one endpoint. */
export interface EndpointUses {
  /** The endpoint, as messages name it. */
  readonly owner: string;
  readonly uses: readonly ColumnUse[];
}

/** The operators of PostgreSQL behind comparisons that compare values as they are. */
const symbols: Partial<Record<Comparison, string>> = {
  ...{ '=': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' },
  ...{ in: '=', 'not in': '=', 'is distinct from': '<>', between: '>=' },
};

/**
 * Looks whether PostgreSQL can search and sort by columns of types that only it knows: `xml` has no equality, `point` no order. A
 * database that is away is no reason not to start, nor is a type that nobody has made.
 *
 * @throws ConfigurationError that names the endpoint, the column and the operator
 */
export async function checkOperators(
  database: Database,
  endpoints: readonly EndpointUses[],
  isReached: Reach,
): Promise<void> {
  const { platform } = database.dialect;
  if (!(platform instanceof BasePostgreSqlPlatform)) return;
  const foreign = endpoints.map(({ owner, uses }) => ({
    owner,
    uses: uses.filter(({ path: { column } }) => isStored(column) && isForeign(column.property, platform)),
  }));
  if (foreign.every(({ uses }) => uses.length === 0) || !(await isReached())) return;
  for (const { owner, uses } of foreign)
    for (const use of uses) {
      const problem = await problemOf(database, use);
      if (problem !== undefined) throw new ConfigurationError(owner, optionOf(use), problem);
    }
}

function isStored({ property, member, type }: Column): boolean {
  const isOne = property.formula === undefined && storedFields(property).length === 1;
  return isOne && member === undefined && type.virtual === undefined && type.search === undefined;
}

function optionOf({ use }: ColumnUse): string {
  return use === 'sorted' ? 'sortableColumnNames' : 'searchableColumnNames';
}

async function problemOf(database: Database, use: ColumnUse): Promise<string | undefined> {
  const { column } = use.path;
  const named = `'${column.name}' is of the type ${storedType(column.property)}`;
  if (use.use === 'sorted')
    return (await lacks(database, column, 'order by v'))
      ? `${named}, which the database has no order of`
      : undefined;
  for (const operator of operatorsIn(use)) {
    const symbol = symbols[operatorTable[operator].comparison];
    if (symbol === undefined || !(await lacks(database, column, `where v ${symbol} null`))) continue;
    return `${named}, which the database cannot compare by ${operator}; give it a type whose operators leave that out`;
  }
  return undefined;
}

function operatorsIn({ path: { column }, isTerm }: ColumnUse): readonly Operator[] {
  return isTerm === true ? [termOperator(column)] : operatorsOf(column);
}

/** True if the database has no such operator of the type. A type that it has not is for requests to tell of. */
async function lacks(database: Database, { property }: Column, use: string): Promise<boolean> {
  const { dialect } = database;
  const value = dialect.cast('null', property);
  if (value === undefined) return false;
  const text = `select 1 from (select ${value} as v) as t ${use}`;
  try {
    await new Session(database).run(new StatementWriter(dialect).write(text).finish(), {});
    return false;
  } catch (error) {
    if (!(databaseCode(error)?.startsWith('42') ?? false)) throw error;
    return databaseCode(error) === '42883';
  }
}
