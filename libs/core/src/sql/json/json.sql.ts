import {
  BaseMySqlPlatform,
  BasePostgreSqlPlatform,
  SqlitePlatform,
  type AbstractSqlPlatform,
} from '@mikro-orm/sql';
import type { JsonMember, MemberSort } from '../../model/members/json.member.js';

/** The SQL by which a family of databases looks into JSON. */
interface JsonWords {
  /** The value of a member; null for a value of another sort. @param json the column, with its table or without */
  member(json: string, member: JsonMember): string;
  /** Tests if a JSON value has another one in it, which is a parameter; left out where that cannot be said. */
  has?(json: string, parameter: string): string;
}

/** Numbers outside of these have no floating-point number in PostgreSQL, which refuses to make one. */
const floats = { least: '1e-307', greatest: '1.797e308' } as const;

const postgreSql: JsonWords = {
  has: (json, parameter) => `${json} @> ${parameter}::jsonb`,
  member(column, { keys, stored, sort, least, greatest }) {
    const json = stored === 'jsonb' ? column : readable(column);
    const path = `'{${keys.map((key) => `"${key}"`).join(',')}}'`;
    const value = `(${json} #> ${path})`;
    const number = `${value}::numeric`;
    const reads = {
      text: `${json} #>> ${path}`,
      boolean: `${value}::boolean`,
      decimal: number,
      integer: `case when ${number} between ${least} and ${greatest} and ${number} = trunc(${number}) then ${value}::bigint end`,
      float: `case when ${number} = 0 or abs(${number}) between ${floats.least} and ${floats.greatest} then ${value}::double precision end`,
    } as const satisfies Record<MemberSort, string>;
    return `(case when jsonb_typeof${value} = '${jsonbTypes[sort]}' then ${reads[sort]} end)`;
  },
};

const jsonbTypes = {
  text: 'string',
  boolean: 'boolean',
  decimal: 'number',
  integer: 'number',
  float: 'number',
} as const satisfies Record<MemberSort, string>;

/** The value of a json column: jsonb has no text with the character U+0000, which json keeps, and would refuse the whole value. */
function readable(column: string): string {
  const hasNull = String.raw`'(^|[^\\])(\\\\)*\\u0000'`;
  return `(case when ${column}::text !~ ${hasNull} then ${column}::jsonb end)`;
}

/** An expression has a type by a cast alone, without which SQLite finds no text equal to a number. */
const sqlite: JsonWords = {
  member(json, { keys, sort, least, greatest }) {
    const path = `'$${keys.map((key) => `."${key}"`).join('')}'`;
    const value = `json_extract(${json}, ${path})`;
    const within = `${value} between ${least} and ${greatest}`;
    const whole = `typeof(${value}) = 'integer' or ${value} = cast(${value} as integer) and abs(${value}) < 9007199254740992`;
    const reads = {
      text: `when 'text' then ${value}`,
      boolean: "when 'true' then 1 when 'false' then 0",
      decimal: `when 'integer' then ${value} when 'real' then ${value}`,
      integer: ['integer', 'real']
        .map((type) => `when '${type}' then case when ${within} and (${whole}) then ${value} end`)
        .join(' '),
      float: `when 'integer' then ${value} when 'real' then ${value}`,
    } as const satisfies Record<MemberSort, string>;
    const read = `case when json_valid(${json}) then case json_type(${json}, ${path}) ${reads[sort]} end end`;
    return `cast(${read} as ${sqliteTypes[sort]})`;
  },
};

const sqliteTypes = {
  text: 'text',
  boolean: 'integer',
  decimal: 'numeric',
  integer: 'integer',
  float: 'real',
} as const satisfies Record<MemberSort, string>;

/**
 * MariaDB calls every number without a point an INTEGER, and MySQL has more names of numbers. What a number is shows when it is
 * read: beyond what a type holds a cast gives the greatest value of it.
 */
const mySql: JsonWords = {
  member(json, { keys, sort, least, greatest }) {
    const value = `json_extract(${json}, '$${keys.map((key) => `."${key}"`).join('')}')`;
    const text = `json_unquote(${value})`;
    const number = `cast(${text} as decimal(65, 30))`;
    const double = `cast(${text} as double)`;
    const float = `case when ${double} between -${floats.greatest} and ${floats.greatest} then ${double} end`;
    const reads = {
      text,
      boolean: `${text} = 'true'`,
      decimal: float,
      integer: `case when ${number} between ${least} and ${greatest} and ${number} = truncate(${number}, 0) then cast(${number} as signed) end`,
      float,
    } as const satisfies Record<MemberSort, string>;
    return `(case when json_type(${value}) in (${mySqlTypes[sort]}) then ${reads[sort]} end)`;
  },
};

const mySqlNumbers = `'INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL'`;

const mySqlTypes = {
  text: `'STRING'`,
  boolean: `'BOOLEAN'`,
  decimal: mySqlNumbers,
  integer: mySqlNumbers,
  float: mySqlNumbers,
} as const satisfies Record<MemberSort, string>;

const families = [
  [BasePostgreSqlPlatform, postgreSql],
  [BaseMySqlPlatform, mySql],
  [SqlitePlatform, sqlite],
] as const satisfies readonly (readonly [abstract new () => AbstractSqlPlatform, JsonWords])[];

/** Writes the value of a member of a Json column. The start stops where the database has no words for it. */
export function memberSql(platform: AbstractSqlPlatform, json: string, member: JsonMember): string {
  return wordsOf(platform)?.member(json, member) ?? 'null';
}

/** Writes the test that a JSON value has another one in it. No column has the operator where the database cannot. */
export function hasSql(platform: AbstractSqlPlatform, json: string, parameter: string): string {
  const sql = wordsOf(platform)?.has?.(json, parameter);
  if (sql === undefined) throw new TypeError('This database does not look into JSON by an operator');
  return sql;
}

function wordsOf(platform: AbstractSqlPlatform): JsonWords | undefined {
  return families.find(([family]) => platform instanceof family)?.[1];
}
