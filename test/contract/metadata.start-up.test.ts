import { expect, test } from '@jest/globals';
import { defineEntity, p, raw, type EntityName } from '@mikro-orm/core';
import { Get, List } from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';

test('An order of a relation that cannot be kept stops the start where its records are shown', async () => {
  for (const orderBy of [{ level: 'asc nulls first' }, { [raw('random()')]: 'asc' }, { level: 'up' }]) {
    const Plan = defineEntity({
      name: 'Plan',
      properties: {
        id: p.integer().primary(),
        steps: () =>
          p
            .oneToMany(Step)
            .mappedBy('plan')
            .orderBy(orderBy as never),
      },
    });
    const Step = defineEntity({
      name: 'Step',
      properties: { id: p.integer().primary(), level: p.integer(), plan: () => p.manyToOne(Plan) },
    });
    const get = (columnOverrides = {}) =>
      new Get<{ id: number }>({
        url: 'plans/:id',
        modelClass: Plan as never,
        readableColumnNames: ['steps.id' as never],
        columnOverrides,
      });
    const message = (more: object) => startUpError({ entities: [Plan, Step], endpoints: [get(more)] });
    expect(await message({})).toContain(
      "Get 'plans/:id': readableColumnNames: 'steps': Plan.steps: its orderBy",
    );
    const overridden = await message({ steps: { sortColumnName: 'level' } }).catch(String);
    expect(overridden).not.toContain('orderBy');
  }
});

const Secret = defineEntity({
  name: 'Secret',
  embeddable: true,
  properties: { code: p.string().hidden().nullable(), hint: p.string().nullable() },
});
const Safe = defineEntity({
  name: 'Safe',
  properties: {
    id: p.integer().primary(),
    inner: () => p.embedded(Secret).nullable(),
    json: () => p.embedded(Secret).object().nullable(),
    list: () => p.embedded(Secret).array().nullable(),
    dark: () => p.embedded(Secret).hidden().nullable(),
  },
});

test('What an embeddable hides stops the start where it is named', async () => {
  const refusal = (name: string): Promise<string> =>
    startUpError({
      entities: [Safe as EntityName],
      endpoints: [
        new List<{ id: number }>({
          url: 'safes',
          modelClass: Safe as never,
          readableColumnNames: [name as never],
          sortableColumnNames: [],
          defaultSortColumnName: 'id',
        }),
      ],
    });
  for (const name of ['inner.code', 'dark.hint', 'dark.code'])
    expect(await refusal(name)).toContain(`readableColumnNames: '${name}' is hidden in the entity`);
  for (const name of ['json', 'list'])
    expect(await refusal(name)).toContain(`readableColumnNames: '${name}' has a hidden member`);
});
