// `/migrations` of the sample: who may ask, and what is left to do after a start.
import { deepStrictEqual, equal } from 'node:assert/strict';
import { migrationsSecret } from './atlas.process.mjs';

export async function askMigrations(url, step) {
  const ask = async (method, query, secret = migrationsSecret) => {
    const headers = { authorization: `Bearer ${secret}` };
    const response = await fetch(`${url}/migrations${query}`, { method, headers });
    return { code: response.status, body: await response.json() };
  };

  await step('migrations are for those who know the secret', async () => {
    const { code, body } = await ask('GET', '', 'wrong');
    equal(code, 401);
    return body.error;
  });
  await step('nothing of the SQL files is left to do after a start', async () => {
    const { code, body } = await ask('GET', '');
    equal(code, 200);
    deepStrictEqual(body.data, []);
  });
  await step('SQL can be checked without being applied', async () => {
    const sql = encodeURIComponent('create table note (id integer primary key)');
    const { body } = await ask('POST', `?command=check&sql=${sql}`);
    deepStrictEqual([body.error, body.data], ['', []]);
  });
  await step('apply wants POST', async () => {
    const { code, body } = await ask('GET', '?command=apply');
    equal(code, 400);
    deepStrictEqual((await ask('POST', '?command=apply')).body.data, []);
    return body.error;
  });
}
