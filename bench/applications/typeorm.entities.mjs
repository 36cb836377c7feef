// The entities of the applications on TypeORM. Properties have the names of the wire: neither of them maps names.
import { EntitySchema } from 'typeorm';

class Company {}
class User {}
class Staff {}

const CompanySchema = new EntitySchema({
  name: 'Company',
  target: Company,
  tableName: 'companies',
  columns: {
    id: { type: 'int', primary: true, generated: 'identity' },
    name: { type: 'varchar', length: 100, unique: true },
    city: { type: 'varchar', length: 100 },
  },
});

const person = (target, tableName, further = {}) =>
  new EntitySchema({
    name: target.name,
    target,
    tableName,
    columns: {
      id: { type: 'int', primary: true, generated: 'identity' },
      email: { type: 'varchar', length: 255, unique: true },
      first_name: { type: 'varchar', length: 100 },
      last_name: { type: 'varchar', length: 100 },
      age: { type: 'int' },
      company_id: { type: 'int' },
      is_active: { type: 'boolean' },
      score: { type: 'float8' },
      created_at: { type: 'timestamptz', precision: 0, createDate: true },
      updated_at: { type: 'timestamptz', precision: 0, updateDate: true },
      ...further,
    },
    relations: {
      company: { type: 'many-to-one', target: 'Company', joinColumn: { name: 'company_id' } },
    },
  });

/** The classes of both tables, and what TypeORM is told of them. */
export const open = {
  User,
  Staff,
  entities: [CompanySchema, person(User, 'users'), person(Staff, 'staff')],
};

/** TypeORM leaves out deleted records by itself where it knows their column. */
const tenancy = {
  tenant_id: { type: 'varchar', length: 36 },
  deleted_at: { type: 'timestamptz', precision: 0, nullable: true, deleteDate: true },
};

export const hidden = Object.keys(tenancy);

export const ofTenants = {
  User,
  Staff,
  entities: [CompanySchema, person(User, 'tenant_users', tenancy), person(Staff, 'tenant_staff', tenancy)],
};

export const typeOrmOptions = (url, { entities }) => ({
  type: 'postgres',
  url,
  poolSize: 10,
  retryAttempts: 0,
  entities,
});
