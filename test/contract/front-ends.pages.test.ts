import { expect } from '@jest/globals';
import { EndpointsClient } from '@nest-endpoints/client';
import { endpointsProvider } from '@nest-endpoints/react-admin';
import { once, service } from '../support/contract.js';
import { notes, recorded, shop } from './front-ends.world.js';

const { contract } = service(shop, once);

const page = (at: number, perPage = 2) => ({ page: at, perPage });
const sort = (field = 'id', order: 'ASC' | 'DESC' = 'ASC') => ({ field, order });

contract(
  'A list without a count tells whether there are pages around; more than a page of the service is read in parts',
  async (subject) => {
    await notes(subject, 'a', 'b', 'c', 'd', 'e', 'f');
    const provider = endpointsProvider(`${subject.url}/api`);
    for (const resource of ['loose-notes', 'leafed-notes']) {
      const list = (at: number, perPage = 2) =>
        provider.getList(resource, { pagination: page(at, perPage), sort: sort(), filter: {} });
      const first = await list(1);
      expect(first).not.toHaveProperty('total');
      expect(first.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false });
      expect((await list(2)).data.map(({ text }) => text)).toEqual(['c', 'd']);
      expect((await list(3)).pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true });
      expect((await list(1, 5)).data.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd', 'e']);
    }
    const counted = await provider.getList('notes', { pagination: page(1, 6), sort: sort(), filter: {} });
    expect([counted.total, counted.data.length]).toEqual([6, 6]);
  },
);

contract(
  'A list with cursors goes on where the page before has ended, whatever comes in front of it meanwhile',
  async (subject) => {
    await notes(subject, 'b', 'c', 'd', 'e', 'f');
    const { fetch, sent } = recorded();
    const provider = endpointsProvider({ url: `${subject.url}/api`, fetch });
    const texts = async (at: number, order: 'ASC' | 'DESC' = 'ASC'): Promise<readonly unknown[]> => {
      const asked = { pagination: page(at), sort: sort('text', order), filter: {} };
      return (await provider.getList('leafed-notes', asked)).data.map(({ text }) => text);
    };
    const last = () => new URL(sent.at(-1)?.path ?? '', subject.url).searchParams;
    expect(await texts(1)).toEqual(['b', 'c']);
    await notes(subject, 'a');
    expect(await texts(2)).toEqual(['d', 'e']);
    expect([last().get('start'), last().get('limit'), last().get('after')]).toEqual([
      null,
      '2',
      expect.any(String),
    ]);
    expect(await texts(3)).toEqual(['f']);
    // Read anew, the first page ends elsewhere.
    expect(await texts(1)).toEqual(['a', 'b']);
    expect(await texts(2)).toEqual(['c', 'd']);
    // A page that nobody has come to from the one before it, and one in another order, are counted.
    expect(await texts(2, 'DESC')).toEqual(['d', 'c']);
    expect([last().get('start'), last().get('after')]).toEqual(['2', null]);
  },
);

contract('A cursor that the service no longer takes is done without', async (subject) => {
  await notes(subject, 'a', 'b', 'c', 'd', 'e');
  const { fetch, sent } = recorded();
  let isOutdated = false;
  const changed: typeof fetch = (address, init) => {
    const asked = address as string;
    return fetch(isOutdated ? asked.replace(/after=[^&]+/, 'after=outdated') : asked, init);
  };
  const listed = await new EndpointsClient({ url: `${subject.url}/api`, fetch: changed }).records(
    'leafed-notes',
  );
  const texts = async (start: number) =>
    (await listed.list({ start, limit: 2 })).records.map(({ text }) => text);
  expect(await texts(0)).toEqual(['a', 'b']);
  isOutdated = true;
  expect(await texts(2)).toEqual(['c', 'd']);
  expect(sent.slice(-2).map(({ path }) => path.replace(/.*[?]/, ''))).toEqual([
    'limit=2&after=outdated',
    'limit=2&start=2',
  ]);
  const { length } = sent;
  // Any other refusal stays one.
  await expect(listed.list({ start: 0.5 })).rejects.toMatchObject({ status: 400 });
  expect(sent).toHaveLength(length + 1);
});

contract('Whatever a list has is read by pages where the service has no limit, too', async (subject) => {
  await notes(subject, 'a', 'b', 'c');
  const { fetch, sent } = recorded();
  const listed = await new EndpointsClient({ url: `${subject.url}/api`, fetch }).records('endless-notes');
  const { records } = await listed.list({ limit: Infinity });
  expect(records.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect(sent.at(-1)?.path).toContain('limit=1000');
});

contract('A search that nobody can send a body to is left to the list beside it', async (subject) => {
  await notes(subject, 'a', 'b');
  const listed = await new EndpointsClient(`${subject.url}/api`).records('queried-notes');
  expect((await listed.list({})).records.map(({ text }) => text)).toEqual(['a', 'b']);
});
