// The part of the smoke test that searches; smoke.mjs runs it.
import { deepStrictEqual, equal, ok } from 'node:assert/strict';

/** Searches, deep pages, nested lists and groups of the running sample. */
export async function searchCities({ url, step, call }) {
  const search = (body) => call(`${url}/cities/search`, 'POST', body);
  await step('a search by region, name and population, sorted by country', async () => {
    const { code, body } = await search({
      where: [
        { column: 'country.region', operator: '=', value: 'Europe' },
        { column: 'name', operator: 'like', value: 'San%' },
        { column: 'population', operator: '>=', value: 50_000 },
      ],
      sort: [
        { column: 'country.name', direction: 'asc' },
        { column: 'population', direction: 'desc' },
      ],
      limit: 200,
    });
    equal(code, 200, JSON.stringify(body));
    equal(body.data.length, body.pagination.number_results);
    ok(body.data.every(({ name, population }) => name.startsWith('San') && population >= 50_000));
    return `${String(body.data.length)} cities`;
  });
  await step('5,000 cities by next_page of a search, without a repeat', async () => {
    const seen = new Set();
    let next = {};
    while (seen.size < 5000) {
      const { data, pagination } = (await search({ limit: 200, ...next })).body;
      for (const city of data) seen.add(city.id);
      deepStrictEqual(Object.keys(pagination.next_page), ['after']);
      next = pagination.next_page;
    }
    equal(seen.size, 5000);
  });
  await step('a cursor that was changed is refused', async () => {
    const { after } = (await search({ limit: 1 })).body.pagination.next_page;
    const { code, body } = await search({ limit: 1, after: `A${after}` });
    deepStrictEqual([code, body.status], [400, 'client_error']);
    return body.error;
  });
  await step('France has its largest cities', async () => {
    const { cities } = (await call(`${url}/countries/FR`)).body.data;
    equal(cities.length, 5);
    equal(cities[0].name, 'Paris');
    return cities.map(({ name }) => name).join(', ');
  });
  await step('the largest city of each country', async () => {
    const { data, pagination } = (await call(`${url}/largest-cities?limit=200`)).body;
    equal(new Set(data.map(({ country }) => country.code)).size, data.length);
    ok(data.some(({ name }) => name === 'Paris'));
    return `${String(pagination.number_results)} countries`;
  });
}
