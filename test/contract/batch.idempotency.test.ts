import { expect } from '@jest/globals';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { service } from '../support/contract.js';
import { batch, get, harbour, post, Voyage } from './batch.voyages.js';

const { contract } = service(harbour);

contract('A batch that is sent again under its Idempotency-Key gets the first answer', async (subject) => {
  const send = (...operations: readonly unknown[]) =>
    batch(subject, ...operations).set('Idempotency-Key', 'k');
  const operations = [post('voyages', { title: 'a' }), post('keyed', { title: 'b' })];
  expectAnswer(
    await send(post('voyages', {})),
    400,
    inputErrors({ 'operations.0.body.title': "'title' is required." }),
  );
  const first = await send(...operations);
  expect(first.status).toBe(200);
  const again = await send(...operations);
  expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  expectAnswer(
    await send(get('voyages')),
    409,
    clientError('The Idempotency-Key was sent with another request before'),
  );
  expect(await subject.count(Voyage)).toBe(2);
  const [one, other] = await Promise.all(
    [1, 2].map(() => batch(subject, post('voyages', { title: 'c' })).set('Idempotency-Key', 'c')),
  );
  expect(one?.text).toBe(other?.text);
  expectAnswer(
    await batch(subject, post('keyed', { title: 'd' })),
    400,
    clientError('operations.0: The header Idempotency-Key is required'),
  );
});
