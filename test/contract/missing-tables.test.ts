import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { List, RestfulApi } from '@nest-endpoints/core';
import { everyDatabase, service } from '../support/contract.js';

const Tool = defineEntity({ name: 'Tool', properties: { id: p.integer().primary(), label: p.string() } });

const columns = {
  modelClass: Tool,
  readableColumnNames: ['id', 'label'],
  sortableColumnNames: ['label'],
  searchableColumnNames: ['label'],
  defaultSortColumnName: 'label',
} as const;

const { contract } = service(
  {
    entities: [Tool],
    endpoints: [
      new RestfulApi({ ...columns, url: 'tools', writeableColumnNames: ['id', 'label'] }),
      new List({ ...columns, url: 'paged', pagination: 'keyset' }),
    ],
  },
  everyDatabase,
);

contract(
  'A table that nobody has made is a 500, and the log says how to make it',
  async ({ request, orm, log }) => {
    await request().post('/tools').send({ id: 1, label: 'saw' });
    await orm.em.getConnection().execute('drop table tool');
    try {
      const answers = [
        await request().get('/tools/1'),
        await request().get('/tools'),
        await request().get('/paged'),
        await request().post('/tools').send({ id: 2, label: 'axe' }),
        await request().patch('/tools/1').send({ label: 'axe' }),
        await request().delete('/tools/1'),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500));
      const lines = log
        .text('error')
        .split('\n')
        .filter((line) => line.includes('schema.update()'));
      expect(lines).toHaveLength(answers.length);
    } finally {
      await orm.schema.create();
    }
  },
);
