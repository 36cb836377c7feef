import { expect } from '@jest/globals';
import { once, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { BulkRows } from './bulk.rows.js';
import { Claims } from './claims.js';
import { as, Label, Project, Task } from './tenants.js';

const { contract } = service(
  {
    entities: [Project, Task, Label],
    root: {
      authentication: new Claims(),
      rowLevelSecurity: {
        variables: (identity: { readonly tenant: string } | undefined) => ({
          'app.tenant': identity?.tenant,
        }),
        role: 'nest_endpoints_bulk',
      },
    },
    endpoints: [
      new BulkRows({
        url: 'bulk',
        modelClass: Task,
        readableColumnNames: ['id', 'name'],
        writeableColumnNames: ['id', 'tenant', 'name', 'rank'],
      }),
    ],
  },
  once,
);

/** The role and a policy, as a migration of the user's would make them. */
const protect = async ({ em }: Subject): Promise<void> => {
  await em().getConnection().executeDump(`
      do $$ begin
        create role nest_endpoints_bulk;
      exception when duplicate_object or unique_violation then null; end $$;
      grant all on task to nest_endpoints_bulk;
      alter table task enable row level security;
      drop policy if exists own on task;
      create policy own on task using (tenant = current_setting('app.tenant', true))`);
};

const names = async ({ em }: Subject) => {
  const rows: { readonly name: string }[] = await em()
    .getConnection()
    .execute('select name from task order by id');
  return rows.map(({ name }) => name);
};

contract(
  'Policies hold for the one statement, which brings the session in the same message',
  async (subject) => {
    await protect(subject);
    const statements = await Statements.of(subject);
    const write = async (body: unknown) => {
      let answer: unknown;
      const sent = await statements.during(async () => {
        const { status, body: told } = await subject
          .request()
          .post('/bulk')
          .set(as('a'))
          .send({ json: JSON.stringify(body) });
        answer = [status, told.data.map(({ id }: { readonly id: string }) => id)];
      });
      return {
        answer,
        verbs: sent.map((text) => (text.includes('set_config') ? 'settings' : text.slice(0, 4))),
      };
    };
    const record = (id: number, tenant = 'a') => ({ id, tenant, name: `n${id}`, rank: 1 });
    const verbs = ['settings', 'with'];
    expect(await write({ create: [record(2), record(1)] })).toEqual({
      answer: [200, ['2', '1']],
      verbs,
    });
    expect(await write({ ids: [1, 2], changes: { rank: 2 } })).toEqual({ answer: [200, ['1', '2']], verbs });
    // Of the whole: the first record could be made.
    expect((await write({ create: [record(3), record(4, 'b')] })).answer).toEqual([403, []]);
    await subject.save(Task, { id: 9, tenant: 'b', name: 'foreign' });
    expect(await write({ ids: [1, 9], changes: { rank: 3 } })).toEqual({ answer: [409, []], verbs });
    expect(await write({ ids: [1, 9] })).toEqual({ answer: [409, []], verbs });
    expect(
      (
        await write({
          update: [
            { id: 1, name: 'x' },
            { id: 2, tenant: 'b' },
          ],
        })
      ).answer,
    ).toEqual([403, []]);
    expect(await names(subject)).toEqual(['n1', 'n2', 'foreign']);
  },
);
