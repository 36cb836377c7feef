import { expect } from '@jest/globals';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { service } from '../support/contract.js';
import { batch, get, harbour, post, Voyage } from './batch.voyages.js';

const { contract } = service(harbour);

contract('A batch that is sent again under its Idempotency-Key gets the first answer', async (subject) => {
  const send = (...operations: readonly unknown[]) =>
    batch(subject, ...operations).set('Idempotency-Key', 'k');
  const keyed = ['b', 'e'].map((title) => post('keyed', { title }));
  const operations = [post('voyages', { title: 'a' }), ...keyed];
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
  expect(await subject.count(Voyage)).toBe(3);
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

contract('A batch that keeps no answers has no key for its operations', async (subject) => {
  const answer = await subject
    .request()
    .post('/harbour/forgetful')
    .set('Idempotency-Key', 'k')
    .send({ operations: [post('keyed', { title: 'a' })] });
  expectAnswer(answer, 400, clientError('operations.0: The header Idempotency-Key is required'));
});

contract('An operation is refused whose path or headers no client could send', async (subject) => {
  const { path } = get('ports');
  const refused = async (operation: object) => {
    const { status, body } = await batch(subject, { method: 'GET', path, ...operation });
    return [status, body.error];
  };
  for (const other of ['harbour/ports', `${path}?code=é`, `${path}?code=a b`, `${path}#a`, `${path}\n`, 5])
    expect(await refused({ path: other })).toEqual([
      400,
      'operations.0.path must be a path that begins with a slash, percent-encoded',
    ]);
  for (const value of ['"1"\r\nx: y', '"\u0100"', 5])
    expect(await refused({ headers: { Prefer: value } })).toEqual([
      400,
      'operations.0.headers.Prefer must be the text of a header',
    ]);
  expect(await refused({ headers: { 'If-Match': '"1"', 'if-match': '"2"' } })).toEqual([
    400,
    "operations.0.headers: 'if-match' is given more than once",
  ]);
});
