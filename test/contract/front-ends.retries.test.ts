import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { EndpointsClient, EndpointsError } from '@nest-endpoints/client';
import { Callable, RestfulApi } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';
import { licensed } from '../support/documents.js';

const Box = defineEntity({
  name: 'Box',
  properties: {
    id: p.integer().primary(),
    title: p.string().length(40),
    secret: p.string().length(40).nullable(),
    version: p.integer().version(),
    things: () => p.oneToMany(Thing).mappedBy('box'),
  },
});

const Thing = defineEntity({
  name: 'Thing',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(40),
    box: () => p.manyToOne(Box),
  },
});

/** The number of times that the endpoint of our own was called. */
const calls = { count: 0 };

const boxes = new RestfulApi({
  url: 'boxes',
  modelClass: Box,
  readableColumnNames: ['id', 'title'],
  writeableColumnNames: ['id', 'title', 'secret'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  writeableRelations: { things: { writeableColumnNames: ['name'] } },
  bulk: true,
});

const count = new Callable({
  url: 'count',
  requestMethods: ['PUT'],
  toCall: () => {
    calls.count += 1;
    return calls.count;
  },
});

const { contract } = service(
  {
    entities: [Box, Thing],
    endpoints: [
      new Schema({ url: 'schema', schemaConfiguration: licensed, wholeApplication: true }),
      boxes,
      count,
    ],
  },
  once,
);

/** A client whose writes get a 503 so many times, though they were done. */
const cutOff = (url: string, times = 1, meanwhile: () => Promise<unknown> = () => Promise.resolve()) => {
  let left = times;
  const sent: string[] = [];
  const client = new EndpointsClient({
    url,
    fetch: async (address, init) => {
      const response = await fetch(address, init);
      const method = init?.method ?? 'GET';
      if (method === 'GET') return response;
      sent.push(method);
      if (left === 0) return response;
      left -= 1;
      await response.arrayBuffer();
      await meanwhile();
      return new Response('', { status: 503, headers: { 'Retry-After': '0' } });
    },
  });
  return { sent, client };
};

contract('A write whose connection was cut is not sent again where that would do more', async (subject) => {
  await subject.save(Box, { id: 1, title: 'a' });
  for (const things of [{ create: [{ name: 't' }] }, { create: [{ name: 'u' }], delete: [1] }]) {
    const { sent, client } = cutOff(subject.url);
    const records = await client.records('boxes');
    await expect(records.update(1, { title: 'b', things })).rejects.toMatchObject({ status: 503 });
    expect([sent, await subject.count(Thing)]).toEqual([['PATCH'], 1]);
  }
  const { sent, client } = cutOff(subject.url, 2);
  await expect(client.send({ method: 'PUT', path: 'count' })).rejects.toMatchObject({ status: 503 });
  expect(calls.count).toBe(1);
  const records = await client.records('boxes');
  await expect(records.deleteMany([1])).rejects.toMatchObject({ status: 503 });
  expect(sent).toEqual(['PUT', 'DELETE']);
});

contract('A change that was done before its connection was cut is a success', async (subject) => {
  await subject.save(Box, { id: 1, title: 'a' });
  const { sent, client } = cutOff(subject.url, 2);
  const records = await client.records('boxes');
  const { record: previous } = await records.get(1);
  const changed = await records.update(1, { ...previous, title: 'b' }, { previous });
  expect(changed.record).toEqual({ id: 1, title: 'b' });
  const again = await records.update(1, { title: 'c' }, { previous: changed.record });
  expect(again.record).toEqual({ id: 1, title: 'c' });
  expect(sent).toEqual(['PATCH', 'PATCH', 'PATCH', 'PATCH']);
  const many = cutOff(subject.url);
  const [one] = await (await many.client.records('boxes')).updateMany([1], { title: 'd' });
  expect([one, many.sent]).toEqual([{ id: 1, title: 'd' }, ['PATCH', 'PATCH']]);
});

contract('A change that nobody can tell whether it was done stays the 503', async (subject) => {
  await subject.save(Box, { id: 1, title: 'a' });
  const others = await new EndpointsClient(subject.url).records('boxes');
  const changed = cutOff(subject.url, 1, () => others.update(1, { title: 'theirs' }, { version: '*' }));
  const records = await changed.client.records('boxes');
  const { version } = await records.get(1);
  await expect(records.update(1, { title: 'mine' }, { version })).rejects.toMatchObject({
    status: 503,
    cause: { status: 412 },
  });
  // A column that is not shown cannot be compared.
  const hidden = await cutOff(subject.url).client.records('boxes');
  const { record: previous } = await hidden.get(1);
  const write = hidden.update(1, { secret: 'x' }, { previous });
  await expect(write).rejects.toMatchObject({ status: 503 });
  const gone = await cutOff(subject.url, 1, () => others.delete(1, { version: '*' })).client.records('boxes');
  await expect(gone.update(1, { title: 'mine' })).rejects.toMatchObject({ status: 503 });
});

contract('A deletion that was done is a success, and one that was not is none', async (subject) => {
  await subject.save(Box, { id: 1, title: 'a' });
  const { sent, client } = cutOff(subject.url);
  const records = await client.records('boxes');
  await records.get(1);
  await records.delete(1);
  expect([sent, await subject.count(Box)]).toEqual([['DELETE', 'DELETE'], 0]);
  await subject.save(Box, { id: 1, title: 'a' });
  const { version } = await records.get(1);
  await (await new EndpointsClient(subject.url).records('boxes')).update(1, { title: 'b' });
  const late = await cutOff(subject.url).client.records('boxes');
  await expect(late.delete(1, { version })).rejects.toMatchObject({ status: 412 });
  expect(await subject.count(Box)).toBe(1);
  const nothing: unknown = await records.delete(9).catch((error: unknown) => error);
  expect(nothing).toBeInstanceOf(EndpointsError);
  expect(nothing).toMatchObject({ status: 404 });
  expect(nothing).not.toHaveProperty('cause');
});
