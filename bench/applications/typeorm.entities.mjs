// The entities of the applications on TypeORM. Properties have the names of the wire: neither of them maps names.
import { EntitySchema } from 'typeorm';

export class Company {}
export class User {}
export class Staff {}

export const CompanySchema = new EntitySchema({
  name: 'Company',
  target: Company,
  tableName: 'companies',
  columns: {
    id: { type: 'int', primary: true, generated: 'identity' },
    name: { type: 'varchar', length: 100, unique: true },
    city: { type: 'varchar', length: 100 },
  },
});

const person = (target, tableName) =>
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
    },
    relations: {
      company: { type: 'many-to-one', target: 'Company', joinColumn: { name: 'company_id' } },
    },
  });

export const UserSchema = person(User, 'users');
export const StaffSchema = person(Staff, 'staff');

export const typeOrmOptions = (url) => ({
  type: 'postgres',
  url,
  poolSize: 10,
  retryAttempts: 0,
  entities: [CompanySchema, UserSchema, StaffSchema],
});
