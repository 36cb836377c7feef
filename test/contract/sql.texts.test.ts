import { expect } from '@jest/globals';
import { everyDatabase, service } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { record } from './related.studio.js';
import { planned, plans, type PlanName } from './sql.plans.js';
import { postgresql } from './sql.postgresql.js';
import { sqlite } from './sql.sqlite.js';

const { contract } = service(planned, everyDatabase);

const texts = { postgresql, pglite: postgresql, sqlite, mariadb: undefined };

for (const name of Object.keys(plans) as PlanName[])
  contract(`The statements of ${name}`, async (subject) => {
    await record(subject);
    const statements = await Statements.of(subject);
    const sent = await statements.during(() => plans[name](subject));
    expect(sent).toEqual(texts[subject.database]?.[name]);
  });
