import { expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/core';
import { ChangeRecord, changeTriggersSql } from '@nest-endpoints/core';
import { startApplication } from '../support/application.js';
import { connectionOf } from '../support/catalogue.js';
import { log } from '../support/log.js';
import { changing, farm, Field, Hedge, Meadow } from './changes.fields.js';

test('The start warns of schemas of tenants that have no trigger, or one of another schema', async () => {
  const started = async (change: (orm: MikroORM) => Promise<unknown>): Promise<readonly string[]> => {
    log.lines = [];
    const application = await startApplication('express', 'postgresql', {
      entities: [Field, Meadow, Hedge, ChangeRecord],
      providers: [
        changing(async (orm) => {
          const tables = await orm.schema.getCreateSchemaSQL({ wrap: false });
          for (const schema of ['t_a', 't_b', 'other'])
            await connectionOf(orm).executeDump(
              `create schema ${schema}; set search_path = ${schema}; ${tables}; set search_path = public;`,
            );
          await connectionOf(orm).executeDump(`${changeTriggersSql(orm.em)} create schema t_empty;`);
          await change(orm);
        }),
      ],
      endpoints: farm(),
      route: 'direct',
      root: { schemaOf: () => undefined, schemas: ['t_*'] },
    });
    await application.close();
    return log.lines.flatMap(({ text }) => (text.includes('The trigger') ? [text] : []));
  };
  const make = (orm: MikroORM, schema: string) =>
    connectionOf(orm).executeDump(changeTriggersSql(orm.em, schema));
  expect(await started((orm) => make(orm, 't_a'))).toEqual([
    expect.stringMatching(
      /The trigger change_record_row of "t_b"\."\w.*" is missing, or another one, .*changeTriggersSql\(em, 't_b'\) gives Endpoints$/,
    ),
  ]);
  expect(
    await started(async (orm) => {
      await make(orm, 't_a');
      await make(orm, 't_b');
    }),
  ).toEqual([]);
});
