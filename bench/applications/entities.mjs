import { defineEntity, p } from '@mikro-orm/core';

// The entities of both applications that use MikroORM: ours, and the one by hand.

export const Company = defineEntity({
  name: 'Company',
  tableName: 'companies',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(100).unique(),
    city: p.string().length(100),
  },
});

export const person = {
  id: p.integer().primary().autoincrement(),
  email: p.string().length(255).unique(),
  firstName: p.string().length(100),
  lastName: p.string().length(100),
  age: p.integer(),
  company: () => p.manyToOne(Company).ref(),
  isActive: p.boolean(),
  score: p.double(),
  createdAt: p.datetime().onCreate(() => new Date()),
  updatedAt: p
    .datetime()
    .onCreate(() => new Date())
    .onUpdate(() => new Date()),
};

export const User = defineEntity({ name: 'User', tableName: 'users', properties: person });

export const Staff = defineEntity({ name: 'Staff', tableName: 'staff', properties: person });
