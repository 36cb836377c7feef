// Trips of their own: tokens of the development keys, and what strangers see of them.
import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const command = fileURLToPath(new URL('../dist/login/token.command.js', import.meta.url));
const run = promisify(execFile);

export async function liveOwnTrips({ url, directory, step, call }) {
  const { port } = new URL(url);
  const env = { ...process.env, DATA_DIR: directory, HOST: '127.0.0.1', PORT: port };
  const printed = async (...words) => {
    const { stdout } = await run(process.execPath, [command, ...words], { env });
    const [token, , line] = stdout.split('\n');
    return { token, line };
  };
  const alice = await printed('--sub', 'alice');
  const bob = await printed('--sub', 'bob');
  const mine = `${url}/my/trips`;
  const as = ({ token }) => ({ authorization: `Bearer ${token}` });

  await step('pasted: the line of npm run token -- --sub alice', async () => {
    const { stdout } = await run('sh', ['-c', `${alice.line} --silent`]);
    equal(JSON.parse(stdout).status, 'success', stdout);
  });
  await step('my trips without a token are refused, with any body', async () => {
    for (const headers of [{}, { authorization: 'Bearer of.bad.news' }]) {
      const { code, body } = await call(mine, 'POST', '{"title"', headers);
      deepStrictEqual([code, body.error], [401, 'Not Authenticated']);
    }
  });
  await step('a trip of alice is hers alone', async () => {
    const trip = { title: 'Hers', starts_on: '2027-05-01' };
    const { code, body } = await call(mine, 'POST', trip, as(alice));
    deepStrictEqual([code, body.data.owner], [201, 'alice'], JSON.stringify(body));
    const one = `${mine}/${body.data.id}`;
    equal((await call(one, 'GET', undefined, as(alice))).code, 200);
    equal((await call(one, 'GET', undefined, as(bob))).code, 404);
    const upcoming = async (who) =>
      (await call(`${url}/my/upcoming-trips`, 'GET', undefined, as(who))).body.data;
    deepStrictEqual([(await upcoming(alice)).map(({ title }) => title), await upcoming(bob)], [['Hers'], []]);
    equal((await call(one, 'PATCH', { title: 'His' }, as(bob))).code, 404);
    equal((await call(one, 'DELETE', undefined, as(bob))).code, 404);
    equal((await call(mine, 'GET', undefined, as(bob))).body.pagination.number_results, 0);
    equal((await call(one, 'DELETE', undefined, as(alice))).code, 200);
  });
  await step('a trip of hers that would end before it starts is not stored', async () => {
    const backwards = { title: 'Back', starts_on: '2027-05-02', ends_on: '2027-05-01' };
    const { code, body } = await call(mine, 'POST', backwards, as(alice));
    deepStrictEqual([code, Object.keys(body.input_errors)], [400, ['ends_on']]);
    equal((await call(mine, 'GET', undefined, as(alice))).body.pagination.number_results, 0);
  });
  await step('an owner cannot be sent', async () => {
    const trip = { title: 'His', starts_on: '2027-05-01', owner: 'alice' };
    const { code, body } = await call(mine, 'POST', trip, as(bob));
    deepStrictEqual([code, Object.keys(body.input_errors)], [400, ['owner']]);
  });
  await step('a token for nobody is one line and exit code 1', async () => {
    const refused = await printed().catch((error) => error);
    equal(refused.code, 1);
    match(refused.stderr, /^Usage: [^\n]*\n$/);
  });
}
