import { expect } from '@jest/globals';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { record } from './related.studio.js';
import { planned, plans, type PlanName } from './sql.plans.js';
import { postgresql } from './sql.postgresql.js';
import { sqlite } from './sql.sqlite.js';

const { contract } = service(planned, everyDatabase);

const texts = { postgresql, pglite: postgresql, sqlite };

const listeners = new WeakMap<object, Promise<Statements>>();

/** An application is listened to once. */
const listenerOf = (subject: Subject): Promise<Statements> => {
  const listener = listeners.get(subject.orm) ?? Statements.of(subject);
  listeners.set(subject.orm, listener);
  return listener;
};

for (const name of Object.keys(plans) as PlanName[])
  contract(`The statements of ${name}`, async (subject) => {
    await record(subject);
    const statements = await listenerOf(subject);
    const sent = await statements.during(() => plans[name](subject));
    expect(sent).toEqual(texts[subject.database][name]);
  });
