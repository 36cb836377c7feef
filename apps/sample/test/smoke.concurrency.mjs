// Trips that two clients change, and trips that one client sends twice.
import { deepStrictEqual, equal, match, notEqual } from 'node:assert/strict';

export async function retryAndCollide({ url, step, call }) {
  const trips = `${url}/trips`;
  const trip = { title: 'Twice', starts_on: '2027-03-04', city_id: 2988507 };
  const create = (body = trip) => call(trips, 'POST', body, { 'idempotency-key': `"smoke-${process.pid}"` });
  const first = await create();
  const own = `${trips}/${first.body.data.id}`;

  await step('a trip that is sent again under its key is made once', async () => {
    const again = await create();
    deepStrictEqual([again.code, again.body], [201, first.body]);
    equal(again.headers.get('idempotency-replayed'), 'true');
    const other = await create({ ...trip, title: 'Other' });
    equal(other.code, 409);
    return other.body.error;
  });
  await step('a trip that somebody else has changed is not overwritten', async () => {
    const known = first.headers.get('etag');
    match(known, /^"1-/);
    const changed = await call(own, 'PATCH', { rating: 4 }, { 'if-match': known });
    equal(changed.code, 200);
    notEqual(changed.headers.get('etag'), known);
    const stale = await call(own, 'PATCH', { rating: 1 }, { 'if-match': known });
    deepStrictEqual([stale.code, stale.body.error], [412, 'Precondition Failed']);
    const now = changed.headers.get('etag');
    equal((await fetch(own, { headers: { 'if-none-match': now } })).status, 304);
    equal((await call(own, 'DELETE', undefined, { 'if-match': now })).code, 200);
    return now;
  });
}
