// The tables of applications with tenants. The tenant of the token has the very records of `users` and `staff`, so that
// its answers are theirs; what stands around them must be seen nowhere: records of others, and deleted ones of its own.
import { fillPeople, people } from './tables.mjs';

export const tenantUsers = 'tenant_users';
const tenantStaff = 'tenant_staff';

export const ownTenant = 'acme';

/** The role of applications with row level security. Roles belong to the server, not to the database of a run. */
export const memberRole = 'nest_endpoints_bench_member';

/** Ids that the case of a missing record asks for. Here they are records, of others or deleted. */
export const ofOthers = { first: 2_000_000_000, count: 1000 };

/** What a live record of the tenant has beside a user's columns. */
export const ownValues = { tenant_id: `'${ownTenant}'`, deleted_at: 'null' };

/** Of ten records nine are other tenants', and one is the tenant's own and deleted. */
const hidden = {
  tenant_id: `case when n % 10 = 0 then '${ownTenant}' else 'tenant ' || abs(n % 10) end`,
  deleted_at: `case when n % 10 = 0 then timestamptz '2025-01-01' end`,
};

const further = [
  `tenant_id varchar(36) not null default current_setting('app.tenant', true)`,
  'deleted_at timestamptz(0)',
];

/** A condition of an index: deleted records are asked for by nobody. */
const live = 'where deleted_at is null';

const filled = (table, count, records) => [
  people(table, further),
  fillPeople(table, { from: 1, count, all: records, further: ownValues }),
  // The first ones of every list, and the ones that are asked for by their ids.
  fillPeople(table, { from: -count, count, all: records, further: hidden }),
  fillPeople(table, { from: ofOthers.first, count: ofOthers.count, all: records, further: hidden }),
  `select setval(pg_get_serial_sequence('${table}', 'id'), ${count})`,
  `create index on ${table} (tenant_id, id) ${live}`,
];

const policed = (table) => [
  `alter table ${table} enable row level security`,
  `create policy own_tenant on ${table}
     using (tenant_id = current_setting('app.tenant', true))
     with check (tenant_id = current_setting('app.tenant', true))`,
  `grant select, insert, update, delete on ${table} to ${memberRole}`,
];

/** The statements that make the tables of tenants and fill them, once those of everybody are there. */
export const tenantTables = (records) => [
  `drop role if exists ${memberRole}`,
  `create role ${memberRole} nologin`,
  `grant ${memberRole} to current_user`,
  `grant select on companies to ${memberRole}`,
  ...filled(tenantUsers, records, records),
  ...filled(tenantStaff, 1000, records),
  ...['age, id', 'last_name, id', 'created_at, id', 'score', 'company_id'].map(
    (index) => `create index on ${tenantUsers} (tenant_id, ${index}) ${live}`,
  ),
  ...[tenantUsers, tenantStaff].flatMap(policed),
  'vacuum analyze',
];

/** Takes the role from the server, which can be done once nothing of the database refers to it. */
export const dropTenants = [`drop owned by ${memberRole}`, `drop role ${memberRole}`];
