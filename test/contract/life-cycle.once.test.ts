import { expect, test } from '@jest/globals';
import { Create, Delete, Update } from '@nest-endpoints/core';
import { startApplication } from '../support/application.js';
import { once, service } from '../support/contract.js';
import { trips, Note, Trip } from './life-cycle.trips.js';
import { stopped } from './stopped.js';

class Unknown {
  readonly isProvided = false;
}

const nothing = (): void => undefined;

const { contract } = service(
  {
    entities: [Trip, Note],
    endpoints: [
      new Create({ ...trips, url: 'created', beforeSave: nothing }),
      new Update({ ...trips, url: 'updated/:id', afterCommit: nothing }),
      new Delete({ modelClass: Trip, url: 'deleted/:id', afterDelete: nothing }),
      new Create({ ...trips, url: 'plain' }),
    ],
  },
  once,
);

contract('The log names the hook that keeps writes on the way of MikroORM', ({ startLog }) => {
  expect(startLog).toContain("Create 'created': MikroORM's way, because beforeSave gets entities");
  expect(startLog).toContain("Update 'updated/:id': MikroORM's way, because afterCommit gets entities");
  expect(startLog).toContain("Delete 'deleted/:id': MikroORM's way, because afterDelete gets entities");
  expect(startLog).toContain("Create 'plain': statements of its own");
});

const start = (options: object): Promise<string> =>
  stopped(() => new Create({ ...trips, url: 'trips', ...options }), { entities: [Trip, Note] });

test('A hook that is no function stops the start', async () => {
  expect(await start({ beforeSave: 'soon' })).toMatch(
    /Create 'trips'.*beforeSave: 'soon' is not allowed; allowed: a function/,
  );
});

test('A provider that no module has stops the start', async () => {
  const trip = new Create({ ...trips, url: 'trips', inject: { unknown: Unknown }, beforeSave: nothing });
  const started = startApplication('express', 'sqlite', {
    entities: [Trip, Note],
    endpoints: [trip],
  });
  await expect(started).rejects.toThrow(
    /Create 'trips'.*inject.*'unknown': no module of the application provides Unknown/,
  );
});

test('A provider under a name that functions get anyway stops the start', async () => {
  expect(await start({ inject: { record: Unknown }, beforeSave: nothing })).toMatch(
    /Create 'trips'.*inject.*'record' is the name of something else/,
  );
});
