// The life of records: a trip that is made with its stops, its history and the trash; files of cities.
import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { bulkSecret } from './atlas.process.mjs';

export async function liveRecords({ url, step, call }) {
  const places = async (id) => {
    const { data } = (await call(`${url}/stops?trip_id=${id}&sort=id`)).body;
    return data.map(({ place }) => place);
  };
  await step('a trip with its stops, which one request makes and changes', async () => {
    const trip = { title: 'Along the Riviera', starts_on: '2027-05-01' };
    const refused = await call(`${url}/trips`, 'POST', { ...trip, stops: [{ place: 'Nice' }, {}] });
    deepStrictEqual([refused.code, Object.keys(refused.body.input_errors)], [400, ['stops.1.place']]);
    const stops = [{ place: 'Nice' }, { place: 'Menton' }];
    const { code, body } = await call(`${url}/trips`, 'POST', { ...trip, stops });
    equal(code, 201, JSON.stringify(body));
    const { id } = body.data;
    const [nice, menton] = (await call(`${url}/stops?trip_id=${id}&sort=id`)).body.data;
    const changes = {
      create: [{ place: 'Sanremo' }],
      update: [{ id: nice.id, place: 'Monaco' }],
      delete: [menton.id],
    };
    equal((await call(`${url}/trips/${id}`, 'PATCH', { stops: changes })).code, 200);
    deepStrictEqual(await places(id), ['Monaco', 'Sanremo']);
    return id;
  });
  await step('a trip goes to the trash with its stops, comes back, and tells its history', async () => {
    const trip = { title: 'Home', starts_on: '2027-05-01', stops: [{ place: 'Nice' }] };
    const { id } = (await call(`${url}/trips`, 'POST', trip)).body.data;
    equal((await call(`${url}/trips/${id}`, 'PATCH', { rating: 4 })).code, 200);
    equal((await call(`${url}/trips/${id}`, 'DELETE')).code, 200);
    deepStrictEqual([(await call(`${url}/trips/${id}`)).code, await places(id)], [404, []]);
    match((await call(`${url}/trips/trash/${id}`)).body.data.deleted_at, /^20/);
    equal((await call(`${url}/trips/trash/${id}/restore`, 'POST')).code, 200);
    deepStrictEqual(await places(id), ['Nice']);
    const history = (await call(`${url}/trips/${id}/history`)).body.data;
    deepStrictEqual(
      history.map(({ operation, changes }) => [operation, changes.rating?.after]),
      [
        ['restored', undefined],
        ['deleted', undefined],
        ['updated', 4],
        ['created', null],
      ],
    );
  });
  await step('cities as CSV, which could be imported again', async () => {
    const table = await fetch(`${url}/cities/export?country_code=MC&format=csv`);
    const text = await table.text();
    const lines = text.trimEnd().split('\r\n').length - 1;
    const imported = await fetch(`${url}/cities/import?dry_run=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bulkSecret}`, 'content-type': 'text/csv' },
      body: `${text}Nowhere,1,1,1,XX\r\n`,
    });
    const told = (await imported.text()).trimEnd().split('\n').map(JSON.parse);
    deepStrictEqual(told.at(0), {
      line: lines + 2,
      input_errors: { country_code: 'the given record does not exist' },
    });
    const { status, data } = told.at(-1);
    deepStrictEqual([status, data.created, data.failed, data.dry_run], ['input_errors', lines, 1, true]);
    return `${String(lines)} lines`;
  });
}
