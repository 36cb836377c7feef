import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

export const Team = defineEntity({
  name: 'Team',
  properties: {
    id: p.integer().primary().autoincrement(),
    // Our first customer was alone: what has no tenant yet is theirs.
    tenant: p.string().length(60).default('acme'),
    name: p.string().length(200),
  },
  uniques: [{ properties: ['tenant', 'name'] }],
});

export type Team = InferEntity<typeof Team>;
