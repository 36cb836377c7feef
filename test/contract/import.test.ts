import { expect } from '@jest/globals';
import { clientError } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Land, many, Place } from './bulk.places.js';
import { asJson, end, imported, told, Town, transfers } from './import.rows.js';

const { contract } = service({ entities: imported, endpoints: transfers() });

const json = 'application/x-ndjson';
const taken = "Invalid value for 'code': the given value already exists, and must be unique.";

contract(
  'Import creates a record of each line of a table, whatever its cells have in them',
  async (subject) => {
    const { em } = subject;
    const table = [
      '\uFEFFid,name,note,area,is_old',
      '1,"Two\r\nlines, and ""quotes""",,3.5,true',
      '2,Ärö,"",-1e3,false',
      '',
      '3,"=1+1",\' ,,',
    ].join('\r\n');
    expect(await told(subject, '/towns/import', table)).toEqual([end('success', 3)]);
    expect(await em().find(Town, {}, { orderBy: { id: 'asc' } })).toMatchObject([
      { id: 1, name: 'Two\r\nlines, and "quotes"', note: null, area: 3.5, isOld: true },
      { id: 2, name: 'Ärö', note: '', area: -1000, isOld: false },
      { id: 3, name: '=1+1', note: "' ", area: null, isOld: null },
    ]);
  },
);

contract('The lines of a table end as each of them does', async (subject) => {
  const { em } = subject;
  const table = 'id,name\r\n1,A\n2,B\r3,"C\r"\n\r\n4,D';
  expect(await told(subject, '/towns/import', table)).toEqual([end('success', 4)]);
  const rows = await em().find(Town, {}, { orderBy: { id: 'asc' } });
  expect(rows.map(({ name }) => name)).toEqual(['A', 'B', 'C\r', 'D']);
});

contract(
  'Import creates a record of each line of JSON, and leaves what is not sent to its default',
  async (subject) => {
    const { em, save } = subject;
    await save(Land, { code: 'FR', name: 'France' });
    const lines = `\uFEFF${asJson([{ name: 'A', land_code: 'FR' }])}\r\n\n{"name":"B","mood":"wild","size":null}`;
    expect(await told(subject, '/places/import', lines, json)).toEqual([end('success', 2)]);
    expect(await em().find(Place, {}, { orderBy: { id: 'asc' } })).toMatchObject([
      { name: 'A', mood: 'calm', land: { code: 'FR' } },
      { name: 'B', mood: 'wild', size: null },
    ]);
  },
);

contract(
  'Import judges each line as a Create: a bad one leaves nothing, or in chunks all others',
  async (subject) => {
    const { database, count, save } = subject;
    await save(Land, { code: 'FR', name: 'France' });
    await save(Place, { name: 'old', code: 'taken', word: 'old' });
    const records = [
      { name: 'A', code: 'one' },
      { name: 'B', size: 1000 },
      { name: 'C', land_code: 'DE', code: 'taken' },
      { name: 'D', code: 'one' },
      { fame: 1, size: 'x' },
      { name: 'E', word: 'old' },
      { name: 'F' },
    ];
    const lines = `${asJson(records)}[1]\n{"name"\n`;
    const refused = [
      database === 'sqlite'
        ? { line: 2, error: 'The database refuses these values' }
        : { line: 2, input_errors: { size: 'value is refused by a rule of the database' } },
      { line: 3, input_errors: { code: taken, land_code: 'the given record does not exist' } },
      { line: 4, input_errors: { code: taken } },
      {
        line: 5,
        input_errors: {
          fame: 'Input column fame is not an allowed input column.',
          name: "'name' is required.",
          size: 'value should be an integer',
        },
      },
      { line: 6, input_errors: { word: 'take another word' } },
      { line: 8, error: 'the line must be a JSON object' },
      { line: 9, error: 'the line is not valid JSON' },
    ];
    const data = { lines: 9, created: 0, updated: 0, failed: 7 };
    expect(await told(subject, '/places/import', lines, json)).toEqual([
      ...refused,
      { status: 'input_errors', data },
    ]);
    expect(await told(subject, '/places/import?dry_run=true', lines, json)).toEqual([
      ...refused,
      { status: 'input_errors', data: { ...data, created: 2, dry_run: true } },
    ]);
    expect(await count(Place)).toBe(1);
    expect(await told(subject, '/places/chunks?dry_run=true', lines, json)).toEqual([
      ...refused,
      { status: 'input_errors', data: { ...data, created: 2, dry_run: true } },
    ]);
    expect(await count(Place)).toBe(1);
    expect(await told(subject, '/places/chunks', lines, json)).toEqual([
      ...refused,
      { status: 'input_errors', data: { ...data, created: 2 } },
    ]);
    expect(await count(Place)).toBe(3);
  },
);

contract(
  'In chunks, what is refused by the database alone is found line by line, however many there are',
  async (subject) => {
    const { count } = subject;
    const records = many(700, (index) => ({ name: `n${index}`, size: index % 100 === 7 ? 1000 : index }));
    const answer = (await told(subject, '/places/chunks', asJson(records), json)) as object[];
    expect(answer.slice(0, -1).map((line) => Reflect.get(line, 'line') as unknown)).toEqual([
      8, 108, 208, 308, 408, 508, 608,
    ]);
    expect(answer.at(-1)).toEqual(end('input_errors', 693, 7));
    expect(await count(Place)).toBe(693);
  },
);

contract('A dry run tells what would be, and keeps nothing', async (subject) => {
  const { count } = subject;
  const path = '/towns/import?dry_run=true&format=csv';
  expect(await told(subject, path, 'id,name\n1,A\n2,B\n', json)).toEqual([
    { status: 'success', data: { lines: 2, created: 2, updated: 0, failed: 0, dry_run: true } },
  ]);
  expect(await count(Town)).toBe(0);
});

contract('A thousand lines that are refused end an import', async (subject) => {
  const bad = asJson([{ name: 'A' }, ...many(1400, () => ({ name: 1 }))]);
  const answer = (await told(subject, '/places/chunks', bad, json)) as object[];
  expect(answer).toHaveLength(1001);
  expect(answer.at(-1)).toMatchObject({
    status: 'input_errors',
    error: '1000 lines were refused; the rest was not read',
    data: { created: 1 },
  });
});

contract(
  'More records or bytes than there may be end an import, and so does what cannot be read',
  async (subject) => {
    const { count } = subject;
    const full = asJson(many(2001, (index) => ({ name: `n${index}` })));
    expect(await told(subject, '/places/import', full, json)).toEqual([
      {
        status: 'client_error',
        error: 'line 2001: there must not be more than 2000 records',
        data: { lines: 2000, created: 0, updated: 0, failed: 0 },
      },
    ]);
    expect(await count(Place)).toBe(0);
    expect(await subject.raw('POST', '/places/chunks', { body: 'x'.repeat(4_000_001) })).toMatchObject({
      status: 413,
      headers: { connection: 'close' },
      body: clientError('The request body must not be larger than 4000000 bytes'),
    });
    const open = `id,name\n${many(600, (index) => `${index},n`).join('\n')}\n`;
    for (const [rest, error] of [
      ['601,"never closed', 'line 602: a quote is not closed'],
      ['601,"closed"twice\n', 'line 602: a quote stands where none may'],
      [`601,${'x'.repeat(4_200_000)}\n`, 'line 602: a line must not be longer than 4194304 bytes'],
      [','.repeat(4_300_000), 'line 602: a line must not be longer than 4194304 bytes'],
    ] as const)
      expect(await told(subject, '/towns/import', open + rest)).toEqual([
        { status: 'client_error', error, data: { lines: 600, created: 0, updated: 0, failed: 0 } },
      ]);
    expect(await count(Town)).toBe(0);
  },
);

contract(
  'Any number of empty lines is passed over, and those after them keep their numbers',
  async (subject) => {
    for (const [begin, end, type, line] of [
      ['name,size\nA,1\n', 'B,x\n', 'text/csv', 1_000_003],
      ['{"name":"A","size":1}\n', '{"name":"B","size":"x"}\n', json, 1_000_002],
    ] as const)
      expect(
        await told(subject, '/places/chunks?dry_run=true', begin + '\n'.repeat(1_000_000) + end, type),
      ).toEqual([
        { line, input_errors: { size: expect.any(String) as unknown } },
        { status: 'input_errors', data: { lines: 2, created: 1, updated: 0, failed: 1, dry_run: true } },
      ]);
  },
);

contract('What is refused before the first line is no import', async (subject) => {
  const { request, raw } = subject;
  const cases: readonly [path: string, type: string, body: string, status: number, error: string][] = [
    ['/towns/import', 'text/csv', '', 400, 'The body has no record'],
    ['/towns/import', 'text/csv', 'id,name\n', 400, 'The body has no record'],
    ['/towns/import', json, '\n\n', 400, 'The body has no record'],
    [
      '/towns/import',
      'text/csv',
      'id,Name\n1,A',
      400,
      'line 1: "Name" is not one of: id, name, note, area, is_old',
    ],
    [
      '/towns/import',
      'text/csv',
      'id,__proto__\n1,A',
      400,
      'line 1: "__proto__" is not one of: id, name, note, area, is_old',
    ],
    ['/towns/import', 'text/csv', 'id,id\n1,1', 400, "line 1: 'id' stands twice"],
    ['/towns/import', 'text/csv', 'id,name\n1,A,B\n', 400, 'line 2: the line has 3 cells, the first one 2'],
    ['/towns/import', json, 'id', 400, 'line 1: the line is not valid JSON'],
    [
      '/towns/import',
      'text/plain',
      'x',
      415,
      'The content type of the request body must be application/x-ndjson or text/csv',
    ],
    // A page of any site may send these without asking first.
    ...[
      'text/plain',
      'Text/Plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ].map((type): (typeof cases)[number] => [
      '/towns/import?format=csv',
      type,
      'id,name\n1,A\n',
      415,
      'The content type of the request body must be application/x-ndjson or text/csv',
    ]),
    ['/towns/import', 'text/csv; charset=latin1', 'x', 415, 'The charset of the request body must be UTF-8'],
    ['/towns/import?dry_run=1', 'text/csv', 'x', 400, "'dry_run' must be true or false"],
    ['/towns/import?format=xlsx', 'text/csv', 'x', 400, "'format' must be one of: ndjson, csv"],
    ['/towns/import?a=1', 'text/csv', 'x', 400, "Unknown parameter 'a' in the query string"],
  ];
  for (const [path, type, body, status, error] of cases) {
    const answer = await request().post(path).set('Content-Type', type).send(body);
    expect({ error, ...answer.body, status: answer.status }).toEqual({ ...clientError(error), status });
  }
  const zipped = { 'content-type': 'text/csv', 'content-encoding': 'gzip' };
  expect(await raw('POST', '/towns/import', { headers: zipped, body: 'x' })).toMatchObject({
    status: 415,
    body: clientError('The request body must not have a content encoding'),
  });
});

contract(
  'A member that is named as the prototype of objects is a column that nobody knows',
  async (subject) => {
    const { count } = subject;
    const lines = '{"id":1,"name":"A"}\n{"id":2,"name":"B","__proto__":{"name":"C"}}\n';
    expect(await told(subject, '/towns/import', lines, json)).toEqual([
      {
        line: 2,
        input_errors: {
          ['__proto__']: 'Input column __proto__ is not an allowed input column.',
        },
      },
      { status: 'input_errors', data: { lines: 2, created: 0, updated: 0, failed: 1 } },
    ]);
    expect(await count(Town)).toBe(0);
  },
);

contract('A table that was imported is exported with the same bytes', async (subject) => {
  const { raw } = subject;
  const rows = many(
    1500,
    (index) => `${index},"n, ${index}",${index % 2 === 0 ? '' : '""'},${index / 8},true`,
  );
  const table = ['id,name,note,area,is_old', ...rows, '1500,"=1\r\n""2""",\'=x,,', ''].join('\r\n');
  expect(await told(subject, '/towns/import', table)).toEqual([end('success', 1501)]);
  const { text, headers } = await raw('GET', '/towns/export', { headers: { accept: 'text/csv' } });
  expect(headers['content-type']).toBe('text/csv; charset=UTF-8');
  expect(text === table).toBe(true);
  const lines = await raw('GET', '/towns/export?format=ndjson');
  expect(lines.headers['content-type']).toBe('application/x-ndjson; charset=UTF-8');
  await subject.clean();
  expect(await told(subject, '/towns/import', lines.text, json)).toEqual([end('success', 1501)]);
  const again = await raw('GET', '/towns/export', {
    headers: { accept: 'application/x-ndjson;q=0.5, text/csv' },
  });
  expect(again.text === table).toBe(true);
});
