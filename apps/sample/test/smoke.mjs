// Starts the built sample as a user would and walks through it; one line per step, exit code 1 at the first surprise.
// DATABASE_URL and HTTP_PLATFORM are passed on. Needs `tsc -b` first, and curl.
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askAsAgent } from './smoke.agents.mjs';
import { callFunctions } from './smoke.callables.mjs';
import { liveOwnTrips } from './smoke.login.mjs';
import { searchCities } from './smoke.searches.mjs';
import { liveRecords } from './smoke.life.mjs';
import { tellOfPostcards } from './smoke.webhooks.mjs';
import { retryAndCollide } from './smoke.concurrency.mjs';
import { putInOrder } from './smoke.order.mjs';
import { stopInOrder, watchFigures } from './smoke.operations.mjs';
import { askMigrations } from './smoke.migrations.mjs';
import { freePort, killAll, launch, listening, stop } from './atlas.process.mjs';

const directory = mkdtempSync(join(tmpdir(), 'atlas-'));
const isEmbedded = !process.env.DATABASE_URL;

let count = 0;
async function step(sentence, act) {
  const note = await act();
  count += 1;
  console.log(`ok ${String(count)} - ${sentence}${note ? ` (${note})` : ''}`);
}

async function call(url, method = 'GET', body = undefined, more = {}) {
  const headers = body === undefined ? more : { ...more, 'content-type': 'application/json' };
  const response = await fetch(url, {
    method,
    headers,
    body: typeof body === 'object' ? JSON.stringify(body) : body,
  });
  return { code: response.status, headers: response.headers, body: await response.json() };
}

const inputErrors = (errors) => ({
  status: 'input_errors',
  error: '',
  data: [],
  pagination: {},
  input_errors: errors,
});
const clientError = (error) => ({
  status: 'client_error',
  error,
  data: [],
  pagination: {},
  input_errors: {},
});

async function expectAnswer(answer, code, body) {
  const { code: actualCode, body: actualBody } = await answer;
  deepStrictEqual({ code: actualCode, body: actualBody }, { code, body });
}

/** One trip's life under the words of one casing. */
async function liveTrip(url, { data, status, ok: success, id, title, startsOn, endsOn, cityName }) {
  const created = await call(url, 'POST', {
    [title]: 'A week in Nice',
    [startsOn]: '2027-05-01',
    [cityName[0]]: 2990440,
  });
  equal(created.code, 201, JSON.stringify(created.body));
  equal(created.body[status], success);
  equal(created.headers.get('x-atlas'), '1');
  equal(created.headers.get('strict-transport-security'), 'max-age=31536000');
  const record = created.body[data];
  equal(record[cityName[1]][cityName[2]], 'Nice');
  const one = `${url}/${record[id]}`;
  deepStrictEqual((await call(one)).body[data], record);
  const patched = await call(one, 'PATCH', { [endsOn]: '2027-05-08' });
  equal(patched.code, 200, JSON.stringify(patched.body));
  equal(patched.body[data][endsOn], '2027-05-08');
  equal(patched.body[data][startsOn], '2027-05-01');
  deepStrictEqual((await call(one, 'DELETE')).body[data], {});
  equal((await call(one)).code, 404);
}

async function walkThrough(url) {
  const french = `${url}/cities?country_code=FR&sort=population&direction=desc&limit=3`;
  await step('the largest cities of France, two pages by next_page', async () => {
    const first = (await call(french)).body;
    const second = (await call(`${french}&${new URLSearchParams(first.pagination.next_page)}`)).body;
    const cities = [...first.data, ...second.data];
    equal(cities[0].name, 'Paris');
    ok(cities.every((city) => city.country.code === 'FR' && city.country.name === 'France'));
    ok(cities.every((city, index) => index === 0 || city.population <= cities[index - 1].population));
    equal(new Set(cities.map((city) => city.id)).size, 6);
    return cities.map((city) => city.name).join(', ');
  });
  await step('a trip created, read, patched, deleted in snake_case', () =>
    liveTrip(`${url}/trips`, {
      data: 'data',
      status: 'status',
      ok: 'success',
      id: 'id',
      title: 'title',
      startsOn: 'starts_on',
      endsOn: 'ends_on',
      cityName: ['city_id', 'city', 'name'],
    }),
  );
  await step('the same in camelCase', () =>
    liveTrip(`${url}/camel/trips`, {
      data: 'data',
      status: 'status',
      ok: 'success',
      id: 'id',
      title: 'title',
      startsOn: 'startsOn',
      endsOn: 'endsOn',
      cityName: ['cityId', 'city', 'name'],
    }),
  );
  await step('the same in TitleCase', () =>
    liveTrip(`${url}/title/trips`, {
      data: 'Data',
      status: 'Status',
      ok: 'Success',
      id: 'Id',
      title: 'Title',
      startsOn: 'StartsOn',
      endsOn: 'EndsOn',
      cityName: ['CityId', 'City', 'Name'],
    }),
  );
  const trips = `${url}/trips`;
  const trip = { title: 'Once', starts_on: '2027-01-02', code: `smoke-${String(process.pid)}` };
  const { id } = (await call(trips, 'POST', trip)).body.data;
  await step('a duplicate is refused', () =>
    expectAnswer(
      call(trips, 'POST', trip),
      400,
      inputErrors({ code: "Invalid value for 'code': the given value already exists, and must be unique." }),
    ),
  );
  await step('an unknown key is refused', () =>
    expectAnswer(
      call(trips, 'POST', { ...trip, code: null, owner: 'me' }),
      400,
      inputErrors({ owner: 'Input column owner is not an allowed input column.' }),
    ),
  );
  await step('a wrong type is refused', () =>
    expectAnswer(
      call(trips, 'POST', { ...trip, code: null, rating: '3' }),
      400,
      inputErrors({ rating: 'value should be an integer' }),
    ),
  );
  await step('the same text is a rating at /typed/trips', async () => {
    const typed = await call(`${url}/typed/trips`, 'POST', {
      title: 'Typed',
      starts_on: '2027-01-02',
      rating: '3',
    });
    equal(typed.code, 201, JSON.stringify(typed.body));
    equal(typed.body.data.rating, 3);
  });
  await step('a missing title is refused', () =>
    expectAnswer(
      call(trips, 'POST', { starts_on: '2027-01-02' }),
      400,
      inputErrors({ title: "'title' is required." }),
    ),
  );
  await step('an end before the stored start is refused', async () => {
    const { code, body } = await call(`${trips}/${id}`, 'PATCH', { ends_on: '2027-01-01' });
    equal(code, 400);
    deepStrictEqual(Object.keys(body.input_errors), ['ends_on']);
    return body.input_errors.ends_on;
  });
  await step('a city that a trip goes to is not deleted', async () => {
    await call(trips, 'POST', { title: 'Kept', starts_on: '2027-01-02', city_id: 2988507 });
    const { code, body } = await call(`${url}/cities/2988507`, 'DELETE');
    deepStrictEqual([code, body.status], [409, 'client_error']);
    return body.error;
  });
  await step('a missing body is refused', () =>
    expectAnswer(call(trips, 'POST'), 400, clientError('A JSON body is required')),
  );
  await step('a body that is not JSON is refused', () =>
    expectAnswer(call(trips, 'POST', '{"title"'), 400, clientError('The request body is not valid JSON')),
  );
  await step('a wrong method is not found', () =>
    expectAnswer(call(`${url}/countries`, 'POST', {}), 404, clientError('Not Found')),
  );
  await step('an unknown path is not found', () =>
    expectAnswer(call(`${url}/nothing/here`), 404, clientError('Not Found')),
  );
  await step('10,000 cities page through without a repeat or a gap', async () => {
    const seen = new Set();
    let next = {};
    while (seen.size < 10_000) {
      const query = new URLSearchParams({ sort: 'name', limit: '200', ...next });
      const { data, pagination } = (await call(`${url}/cities?${query}`)).body;
      equal(pagination.number_results, 135_233);
      for (const city of data) {
        ok(!seen.has(city.id), `city ${String(city.id)} came twice`);
        seen.add(city.id);
      }
      next = pagination.next_page;
    }
    const again = (await call(`${url}/cities?sort=name&limit=200&start=9800`)).body.data;
    deepStrictEqual(
      again.map((city) => city.id),
      [...seen].slice(9800),
    );
  });
}

async function run() {
  const port = await freePort();
  const first = launch(port, directory);
  const { url, seconds } = await listening(first);
  await step('the first start loads the atlas', () => `${seconds.toFixed(1)} s`);
  for (const line of first.output.split('\n').filter((text) => text.trim().startsWith('curl '))) {
    await step(`pasted: ${line.trim().slice(0, 70)}…`, () => {
      const answer = JSON.parse(
        execFileSync('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
      );
      equal(answer.status, 'success', JSON.stringify(answer));
    });
  }
  await walkThrough(url);
  await searchCities({ url, step, call });
  await callFunctions({ url, step, call });
  await liveRecords({ url, step, call });
  await askAsAgent({ url, step, call });
  await liveOwnTrips({ url, directory, step, call });
  await tellOfPostcards({ url, directory, step, call });
  await retryAndCollide({ url, step, call });
  await putInOrder({ url, step, call });
  await askMigrations(url, step);
  if (isEmbedded) {
    await step('a second process on the same directory is refused', async () => {
      const second = launch(await freePort(), directory);
      const [code] = await second.exit;
      equal(code, 1);
      match(second.errors, new RegExp(`in use by process ${String(first.child.pid)}\\b`));
      return second.errors.trim();
    });
  }
  await watchFigures({ url, step, call });
  await stopInOrder({ url, service: first, step, call });
  const occupier = createServer().listen(port, '127.0.0.1');
  await once(occupier, 'listening');
  await step('a port in use is one line and exit code 1', async () => {
    const refused = launch(port, directory);
    const [code] = await refused.exit;
    equal(code, 1);
    equal(refused.errors.trim().split('\n').length, 1, refused.errors);
    return refused.errors.trim();
  });
  occupier.close();
  const later = launch(port, directory);
  await step(
    'a later start takes less than a third of the first, or five seconds, and has the data',
    async () => {
      const { seconds: laterSeconds } = await listening(later);
      ok(laterSeconds < Math.max(5, seconds / 3), `it took ${laterSeconds.toFixed(1)} s`);
      equal((await call(`${url}/cities?limit=1`)).body.pagination.number_results, 135_233);
      equal((await call(`${url}/trips?code=smoke-${String(process.pid)}`)).body.pagination.number_results, 1);
      return `${laterSeconds.toFixed(1)} s`;
    },
  );
  await stop(later);
}

try {
  await run();
} catch (error) {
  console.error(`not ok ${String(count + 1)} -`, error);
  process.exitCode = 1;
} finally {
  killAll();
  rmSync(directory, { recursive: true, force: true });
}
