import { expect, test } from '@jest/globals';
import {
  Batch,
  Callable,
  EndpointGroup,
  HealthCheck,
  Public,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { startApplication, type Application } from '../support/application.js';
import { Claims } from './claims.js';
import { harbour, Port } from './batch.voyages.js';
import { stopped } from './stopped.js';

const batch = () => new Batch({ url: 'batch' });
const group =
  (endpoints: readonly EndpointOrGroup[], more = {}) =>
  () =>
    new EndpointGroup({ url: 'api', endpoints, ...more });
const hello = (options = {}) => new Callable({ url: 'hello', toCall: () => 'hello', ...options });

test('A Batch outside of a group stops the start, unless it runs endpoints of the whole application', async () => {
  expect(await stopped(batch)).toMatch(/Batch 'batch': url: .*put it into an EndpointGroup/);
  expect(await stopped(() => new Batch({ maximumOperations: 1001 }))).toMatch(
    /maximumOperations.*from 1 to 1,?000/,
  );
});

test('A Batch whose answers cannot be kept stops the start', async () => {
  const problem = await stopped(group([new Batch({ url: 'batch', idempotency: true })]), {
    entities: [Port],
  });
  expect(problem).toMatch(/idempotency: add IdempotencyRecord/);
});

/** Starts an application as far as its routes are known: the check looks at all endpoints. */
const startOf = async (endpoints: readonly EndpointOrGroup[]): Promise<string> => {
  let application: Application | undefined;
  try {
    application = await startApplication('express', 'sqlite', { ...harbour, endpoints });
    return 'it started';
  } catch (error) {
    return String(error);
  } finally {
    await application?.close();
  }
};

test('An endpoint in reach with another authentication stops the start, unless it is kept out', async () => {
  const authentication = new Claims();
  const other = { authentication: new Claims() };
  const reached = (more: object) => startOf([group([batch(), hello(more)], { authentication })()]);
  expect(await reached(other)).toMatch(
    /Batch 'api\/batch': authentication: Callable 'api\/hello' has another authentication; allowed: the same instance, Public, or inBatches: false/,
  );
  expect(await reached({ ...other, inBatches: false })).toBe('it started');
  expect(await reached({ authentication: new Public() })).toBe('it started');
  expect(
    await startOf([group([batch(), new HealthCheck({ url: 'health' })], { authentication })(), hello(other)]),
  ).toBe('it started');
  expect(
    await startOf([new Batch({ url: 'batch', wholeApplication: true, authentication }), hello(other)]),
  ).toContain('has another authentication');
});
