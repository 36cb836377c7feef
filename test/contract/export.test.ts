import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Export } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { columns, land, Land, many, Place } from './bulk.places.js';

/** A record whose text a spreadsheet would run. */
const Cell = defineEntity({
  name: 'Cell',
  properties: {
    id: p.integer().primary(),
    text: p.text().nullable(),
    amount: p.integer().nullable(),
    exact: p.decimal().precision(10).scale(2).nullable(),
    extra: p.json().nullable(),
  },
});

const cells = { modelClass: Cell, readableColumnNames: ['text', 'amount', 'extra'] } as const;

const places = {
  ...columns,
  searchableColumnNames: ['mood', 'size', 'land.name'],
  sortableColumnNames: ['name', 'size'],
} as const;

const { contract } = service({
  entities: [...land, Cell],
  endpoints: [
    new Export({ ...places, url: 'places/export' }),
    new Export({ ...places, url: 'places/title', externalCasing: 'TitleCase' }),
    new Export({ ...places, url: 'places/few', maximumRecords: 2, where: ['size > 1'] }),
    new Export({ ...places, url: 'places/moment', snapshot: true }),
    new Export({ ...cells, url: 'cells' }),
    new Export({ modelClass: Cell, readableColumnNames: ['exact'], url: 'cells/exact' }),
    new Export({ ...cells, url: 'cells/marked', byteOrderMark: true, formulas: 'keep' }),
  ],
});

const csv = async ({ raw }: Subject, path: string): Promise<string> =>
  (await raw('GET', path, { headers: { accept: 'text/csv' } })).text;

/** Stores as many places as are asked for, at once. */
const fill = async ({ em }: Subject, count: number): Promise<void> => {
  await em().insertMany(
    Place,
    many(count, (index) => ({
      id: index + 1,
      name: `n${index}`,
      size: index % 900,
      mood: 'calm',
      version: 1,
    })),
  );
};

contract('Export answers all records that match, as lines of JSON or a table', async (subject) => {
  const { raw, request, save } = subject;
  const france = await save(Land, { code: 'FR', name: 'France' });
  await save(Place, { name: 'B', size: 3, land: france });
  await save(Place, { name: 'A, a', code: '', mood: 'wild' });
  const lines = await raw('GET', '/places/export');
  expect(lines).toMatchObject({
    headers: {
      'content-type': 'application/x-ndjson; charset=UTF-8',
      'content-disposition': 'attachment; filename="Place.ndjson"',
    },
    text:
      '{"id":1,"name":"B","code":null,"size":3,"mood":"calm","land":{"name":"France"}}\n' +
      '{"id":2,"name":"A, a","code":"","size":null,"mood":"wild","land":null}\n',
  });
  const head = 'id,name,code,size,mood,land.name\r\n';
  const [first, second] = ['1,B,,3,calm,France\r\n', '2,"A, a","",,wild,\r\n'];
  const table = await raw('GET', '/places/export?format=csv', { headers: { accept: '*/*' } });
  expect(table.headers).toMatchObject({
    'content-type': 'text/csv; charset=UTF-8',
    'content-disposition': 'attachment; filename="Place.csv"',
  });
  expect(table.text).toBe(head + first + second);
  expect(await csv(subject, '/places/export?sort=name')).toBe(head + second + first);
  expect(await csv(subject, '/places/export?sort=name&direction=desc&limit=1')).toBe(head + first);
  expect(await csv(subject, '/places/export?mood=wild')).toBe(head + second);
  expect(await csv(subject, '/places/export?land.name=France')).toBe(head + first);
  expect(await csv(subject, '/places/export?mood=none')).toBe(head);
  expect((await raw('GET', '/places/export?mood=none')).text).toBe('');
  expect(await csv(subject, '/places/few')).toBe(head + first);
  expect(await csv(subject, '/places/title?Format=csv&Mood=wild')).toBe(
    `Id,Name,Code,Size,Mood,Land.Name\r\n${second}`,
  );
  expect((await request().head('/places/export')).status).toBe(200);
});

contract('Export refuses what it does not know, as a List does', async ({ request }) => {
  const cases: readonly [query: string, error: string][] = [
    ['format=xlsx', "'format' must be one of: ndjson, csv"],
    ['name=A', "Unknown parameter 'name' in the query string"],
    ['start=1', "Unknown parameter 'start' in the query string"],
    ['sort=mood', "'sort' must be one of: name, size"],
    ['limit=0', "'limit' must be a whole number from 1"],
  ];
  for (const [query, error] of cases)
    expectAnswer(await request().get(`/places/export?${query}`), 400, clientError(error));
  expectAnswer(
    await request().get('/places/few?limit=3'),
    400,
    clientError("'limit' must be between 1 and 2"),
  );
  expectAnswer(
    await request().get('/places/export?size=x'),
    400,
    inputErrors({ size: 'value should be an integer' }),
  );
});

contract(
  'Text that a spreadsheet would run has an apostrophe in front, unless it is kept',
  async (subject) => {
    const texts = ['=1+1', '+1', '-1', '@a', '\ta', '\ra', 'b\nb', 'a=1', "'=1", '"=1'];
    for (const [id, text] of texts.entries())
      await subject.save(Cell, { id, text, amount: -id, extra: null });
    await subject.save(Cell, { id: 100, amount: -5, exact: '-1.25', extra: { a: ['=1', 2] } });
    // PostgreSQL puts spaces into JSON.
    const all = (await csv(subject, '/cells')).replaceAll(/([:,]) /g, '$1').split('\r\n');
    expect(all).toEqual([
      'text,amount,extra',
      "'=1+1,0,",
      "'+1,-1,",
      "'-1,-2,",
      "'@a,-3,",
      "'\ta,-4,",
      `"'\ra",-5,`,
      '"b\nb",-6,',
      'a=1,-7,',
      "'=1,-8,",
      '"""=1",-9,',
      ',-5,"{""a"":[""=1"",2]}"',
      '',
    ]);
    // A number that JSON has as text is a number all the same.
    expect((await csv(subject, '/cells/exact')).endsWith('\r\n-1.25\r\n')).toBe(true);
    const kept = await csv(subject, '/cells/marked');
    expect(kept.startsWith('\uFEFFtext,amount,extra\r\n=1+1,0,\r\n+1,-1,\r\n')).toBe(true);
  },
);

contract('No record is exported twice while records move between its pages', async (subject) => {
  await fill(subject, 2500);
  const statements = await Statements.of(subject);
  for (const path of ['/places/export', '/places/moment', '/places/export?sort=size&direction=desc']) {
    let text = '';
    const sent = await statements.during(async () => {
      const reading = subject.raw('GET', path);
      // What was read goes behind the place where the next page begins, again and again.
      for (const at of [0, 1, 2])
        if (!['pglite', 'sqlite'].includes(subject.database))
          await subject.em().nativeUpdate(Place, { size: { $gte: 850 } }, { size: at });
      ({ text } = await reading);
    });
    const ids = text
      .split('\n')
      .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { id: number }).id));
    expect([ids.length, new Set(ids).size]).toEqual([2500, 2500]);
    const reads = sent.filter((one) => /^select [^;]*from "place"|^select .*`place`/i.test(one));
    expect(reads.length).toBeGreaterThanOrEqual(3);
    if (subject.database !== 'postgresql') continue;
    expect(sent.some((one) => /repeatable read/i.test(one))).toBe(path !== '/places/export');
  }
});
