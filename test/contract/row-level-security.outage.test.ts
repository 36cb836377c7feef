import { afterAll, expect } from '@jest/globals';
import { Callable, EndpointGroup, recommendedOptions } from '@nest-endpoints/core';
import { expectAnswer, failure } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { startRelay } from '../support/relay.js';
import { Claims } from './claims.js';
import { as, Label, Project, Task, tenantEndpoints } from './tenants.js';

const relay = await startRelay(String(process.env['TEST_DATABASE_URL']));
afterAll(() => relay.close());

interface Identity {
  readonly tenant: string;
}

const { driverOptions } = recommendedOptions();
const { contract } = service(
  {
    entities: [Project, Task, Label],
    root: {
      rowLevelSecurity: {
        variables: (identity: Identity | undefined) => ({ 'app.tenant': identity?.tenant }),
        role: 'nest_endpoints_guest',
      },
    },
    endpoints: [
      new EndpointGroup({
        url: 'own',
        authentication: new Claims(),
        endpoints: [
          new Callable({ url: 'counted', toCall: ({ em }) => em.count(Task, {}) }),
          new Callable({
            url: 'swallowed',
            toCall: ({ em }) => em.count(Task, {}).catch(() => 'nothing is known'),
          }),
        ],
      }),
      ...tenantEndpoints(),
    ],
    orm: { driverOptions: { ...driverOptions, host: '127.0.0.1', port: relay.port }, pool: { max: 5 } },
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

/** One request of every kind, by whoever belongs to the tenant. */
const ofEveryKind = (subject: Subject, tenant = 'a') =>
  [
    () => subject.request().get('/tasks'),
    () => subject.request().get('/tasks/1'),
    () => subject.request().post('/search').send({}),
    () => subject.request().post('/tasks').send({ id: 7, tenant: 'a', name: 'new' }),
    () => subject.request().patch('/tasks/1').send({ rank: 2 }),
    () => subject.request().delete('/tasks/1'),
    () => subject.request().get('/own/counted'),
    () => subject.request().get('/own/swallowed'),
  ].map((ask) => ask().set(as(tenant)));

const makeRole = (subject: Subject): Promise<unknown> =>
  subject
    .em()
    .getConnection()
    .executeDump(
      `do $$ begin
        create role nest_endpoints_guest;
      exception when duplicate_object or unique_violation then null; end $$;
      grant all on label, project, task, task_labels to nest_endpoints_guest`,
    );

contract('With row level security, an outage is a 503 to every kind of request', async (subject) => {
  await makeRole(subject);
  expect((await subject.request().get('/tasks').set(as('a'))).status).toBe(200);
  relay.cut();
  try {
    for (const answer of await Promise.all(ofEveryKind(subject))) {
      expectAnswer(answer, 503, failure('Service Unavailable'));
      expect(answer.headers['retry-after']).toBe('1');
    }
  } finally {
    relay.mend();
  }
  while ((await subject.request().get('/tasks').set(as('a'))).status !== 200);
});

contract('A variable that the database cannot have is a failure of the service', async (subject) => {
  await makeRole(subject);
  for (const answer of await Promise.all(ofEveryKind(subject, 'a\0b')))
    expectAnswer(answer, 500, failure('Internal Server Error'));
  expect((await subject.request().get('/tasks').set(as('a'))).status).toBe(200);
});

contract('A role that does not exist is a failure of the service, whatever is asked', async (subject) => {
  await makeRole(subject);
  const renamed = (from: string, to: string): Promise<unknown> =>
    subject.em().getConnection().executeDump(`alter role ${from} rename to ${to}`);
  await renamed('nest_endpoints_guest', 'nest_endpoints_gone');
  try {
    for (const answer of await Promise.all(ofEveryKind(subject)))
      expectAnswer(answer, 500, failure('Internal Server Error'));
    expect(subject.log.text()).toContain("look at the role 'nest_endpoints_guest', app.tenant");
  } finally {
    await renamed('nest_endpoints_gone', 'nest_endpoints_guest');
  }
});
