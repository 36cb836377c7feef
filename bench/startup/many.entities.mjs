import { defineEntity, p } from '@mikro-orm/core';

const count = 50;

const entities = [];

/** Ten properties of the usual types; each entity but the first has the one before as a parent. */
const properties = (index) => ({
  id: p.integer().primary().autoincrement(),
  title: p.string().length(200),
  code: p.string().length(20).unique(),
  amount: p.decimal().precision(12).scale(2),
  score: p.double().nullable(),
  quantity: p.integer(),
  isActive: p.boolean(),
  dueOn: p.date().nullable(),
  created: p.datetime().onCreate(() => new Date()),
  updated: p
    .datetime()
    .onCreate(() => new Date())
    .onUpdate(() => new Date()),
  ...(index === 0 ? {} : { parent: () => p.manyToOne(entities[index - 1]).ref() }),
});

for (let index = 0; index < count; index += 1)
  entities.push(defineEntity({ name: `Thing${index}`, properties: properties(index) }));

/** What both applications of the start-up comparison have. */
export const manyEntities = entities;
