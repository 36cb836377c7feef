import { expect } from '@jest/globals';
import { clientError, expectAnswer, inputErrors, success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Item, told, upserting } from './upserted.stock.js';

const { contract } = service(upserting());

const failed = clientError('Precondition Failed');
const taken = (name: string) =>
  inputErrors({ [name]: `Invalid value for '${name}': the given value already exists, and must be unique.` });

/** An Upsert that is one statement where it can be, and one that never is. */
const everyWay = ['items', 'hooked'] as const;

const put = ({ request }: Subject, path: string, body: object, headers: Record<string, string> = {}) =>
  request().put(path).set(headers).send(body);

const stored = ({ em }: Subject, code: string) => em().findOneOrFail(Item, { code });

contract(
  'Upsert answers a new record with 201 and Location, the same again with 200 and none',
  async (subject) => {
    for (const url of everyWay) {
      const code = `FR-${url}`;
      const first = await put(subject, `/${url}/${code}`, { name: 'Paris' });
      const shown = { code, name: 'Paris', note: null, amount: 7, barcode: null };
      expectAnswer(first, 201, success(shown));
      expect([first.headers['location'], first.headers['etag']]).toEqual([`/items/${code}`, '"1"']);
      const second = await put(subject, `/${url}/${code}`, { name: 'Paname', amount: 2 });
      expectAnswer(second, 200, success({ ...shown, name: 'Paname', amount: 2 }));
      expect([second.headers['location'], second.headers['etag']]).toEqual([undefined, '"2"']);
    }
  },
);

contract('Upsert leaves what is not sent of a stored record as it is', async (subject) => {
  for (const url of everyWay) {
    const code = `A-${url}`;
    await subject.save(Item, { code, name: 'One', note: 'kept', amount: 3 });
    await put(subject, `/${url}/${code}`, { name: 'Two' });
    expect(await stored(subject, code)).toMatchObject({ name: 'Two', note: 'kept', amount: 3, version: 2 });
  }
});

contract(
  'An Upsert that replaces gives columns that are left out their default, or null',
  async (subject) => {
    await subject.save(Item, { code: 'A', name: 'One', note: 'gone', amount: 3, barcode: 'b' });
    const answer = await put(subject, '/whole/A', { name: 'Two' });
    expectAnswer(answer, 200, success({ code: 'A', name: 'Two', note: null, amount: 7, barcode: null }));
    expectAnswer(await put(subject, '/whole/A', {}), 400, inputErrors({ name: "'name' is required." }));
  },
);

contract('An Upsert with unchanged values writes nothing and keeps the ETag', async (subject) => {
  for (const url of everyWay) {
    const code = `U-${url}`;
    await put(subject, `/${url}/${code}`, { name: 'One', note: 'n' });
    const before = await stored(subject, code);
    told.length = 0;
    const again = await put(subject, `/${url}/${code}`, { name: 'One', note: 'n' });
    expect([again.status, again.headers['etag']]).toEqual([200, '"1"']);
    expect(await stored(subject, code)).toEqual(before);
    expect(told).toEqual(url === 'hooked' ? ['before update'] : []);
    expect((await put(subject, `/${url}/${code}`, { name: 'One', note: null })).headers['etag']).toBe('"2"');
  }
});

contract(
  'The input of an Upsert is judged as a Create, whether the record is there or not',
  async (subject) => {
    for (const url of everyWay) {
      await subject.save(Item, { code: `J-${url}`, name: 'One' });
      for (const code of [`J-${url}`, `new-${url}`]) {
        const wrong = { note: 5, amount: 'many', id: 4 };
        expectAnswer(
          await put(subject, `/${url}/${code}`, wrong),
          400,
          inputErrors({
            id: 'Input column id is not an allowed input column.',
            name: "'name' is required.",
            note: 'value should be a string',
            amount: 'value should be an integer',
          }),
        );
        // The database has nothing against the rest.
        expectAnswer(
          await put(subject, `/${url}/${code}`, { name: 'Two', id: 4 }),
          400,
          inputErrors({ id: 'Input column id is not an allowed input column.' }),
        );
      }
      expect((await stored(subject, `J-${url}`)).name).toBe('One');
      expect((await subject.request().put(`/${url}/X`)).status).toBe(400);
    }
    expect(await subject.count(Item)).toBe(2);
  },
);

contract('A key in the body that is not that of the path is refused, the same is taken', async (subject) => {
  const refused = inputErrors({ code: 'must be as in the path' });
  for (const url of [...everyWay, 'keyed', 'whole']) {
    for (const code of ['B', '', null, 7])
      expectAnswer(await put(subject, `/${url}/A-${url}`, { code, name: 'One' }), 400, refused);
    expect((await put(subject, `/${url}/A-${url}`, { code: `A-${url}`, name: 'One' })).status).toBe(201);
  }
  expect(await subject.count(Item)).toBe(4);
});

contract('If-Match and If-None-Match decide whether an Upsert may create or update', async (subject) => {
  const rows = [
    [{}, 201, 200, 200],
    [{ 'If-Match': '"3"' }, 412, 200, 412],
    [{ 'If-Match': '*' }, 412, 200, 200],
    [{ 'If-None-Match': '*' }, 201, 412, 412],
    [{ 'If-None-Match': '"3"' }, 201, 412, 200],
    [{ 'If-None-Match': 'W/"3"' }, 201, 412, 200],
    [{ 'If-Match': '"3"', 'If-None-Match': '"4"' }, 412, 200, 412],
    [{ 'If-Match': '*', 'If-None-Match': '*' }, 412, 412, 412],
  ] as const;
  for (const url of everyWay)
    for (const [index, [headers, ...statuses]] of rows.entries()) {
      const codes = ['none', 'third', 'other'].map((word) => `${word}-${index}-${url.slice(0, 1)}`);
      for (const [nth, code] of codes.entries()) {
        if (nth > 0) await subject.save(Item, { code, name: 'One' });
        await subject.em().nativeUpdate(Item, { code }, { version: nth === 1 ? 3 : 4 });
        const answer = await put(subject, `/${url}/${code}`, { name: 'Two' }, headers);
        expect([headers, answer.status]).toEqual([headers, statuses[nth]]);
        if (answer.status === 412) expectAnswer(answer, 412, failed);
        const found = await subject.em().findOne(Item, { code });
        expect(found?.name).toBe(answer.status === 412 ? (nth === 0 ? undefined : 'One') : 'Two');
      }
    }
});

contract('An unchanged record in another version is 412 all the same', async (subject) => {
  for (const url of everyWay) {
    const code = `V-${url}`;
    await subject.save(Item, { code, name: 'One' });
    expect((await put(subject, `/${url}/${code}`, { name: 'One' }, { 'If-Match': '"1"' })).status).toBe(200);
    expect((await put(subject, `/${url}/${code}`, { name: 'One' }, { 'If-Match': '"2"' })).status).toBe(412);
  }
});

contract('With preconditionRequired an Upsert without a condition is 428', async (subject) => {
  const path = '/careful/A';
  expectAnswer(await put(subject, path, { name: 'One' }), 428, clientError('Precondition Required'));
  expect((await put(subject, path, { name: 'One' }, { 'If-None-Match': '*' })).status).toBe(201);
  expect((await put(subject, path, { name: 'Two' }, { 'If-Match': '"1"' })).status).toBe(200);
});

contract('A record that is hidden is never updated: its key is taken, as for a Create', async (subject) => {
  const hidden = { code: 'H', name: 'Secret', isHidden: true };
  await subject.save(Item, hidden);
  const before = await stored(subject, 'H');
  const created = await subject.request().post('/items').send({ code: 'H', name: 'Mine' });
  for (const url of everyWay) {
    for (const headers of [{}, { 'If-None-Match': '*' }]) {
      const answer = await put(subject, `/${url}/H`, { name: 'Mine' }, headers);
      expectAnswer(answer, 400, taken('code'));
      expect(answer.text).toBe(created.text);
    }
    for (const tags of ['*', '"1"', '"2"'])
      expectAnswer(await put(subject, `/${url}/H`, { name: 'Mine' }, { 'If-Match': tags }), 412, failed);
  }
  expect(await stored(subject, 'H')).toEqual(before);
});

contract('Another unique value that a third record has is refused with its own message', async (subject) => {
  await subject.save(Item, { code: 'third', name: 'Three', barcode: '333' });
  for (const url of everyWay) {
    await subject.save(Item, { code: `C-${url}`, name: 'One' });
    for (const code of [`C-${url}`, `D-${url}`])
      expectAnswer(
        await put(subject, `/${url}/${code}`, { name: 'Two', barcode: '333' }),
        400,
        taken('barcode'),
      );
    expect(await stored(subject, `C-${url}`)).toMatchObject({ name: 'One', barcode: null, version: 1 });
    const own = await put(subject, `/${url}/third`, { name: `Three ${url}`, barcode: '333' });
    expect(own.status).toBe(200);
  }
  expect(await subject.count(Item)).toBe(3);
});

contract('Hooks of an Upsert are told create or update, and afterwards what was written', async (subject) => {
  told.length = 0;
  await put(subject, '/hooked/A', { name: 'One' });
  expect(told).toEqual(['before create', 'after create true', 'committed create']);
  told.length = 0;
  expect((await put(subject, '/hooked/A', { name: 'hooked' })).body.data.name).toBe('Changed');
  expect(told).toEqual(['before update', 'after update true', 'committed update']);
  told.length = 0;
  await subject.save(Item, { code: 'third', name: 'Three', barcode: '333' });
  await put(subject, '/hooked/A', { name: 'Two', barcode: '333' });
  await put(subject, '/hooked/A', { name: 'Two' }, { 'If-Match': '"9"' });
  expect(told).toEqual([]);
});

contract('createStatus, casing and outputMap are those of a Create', async (subject) => {
  const alike = await put(subject, '/alike/A', { name: 'One' });
  expect([alike.status, alike.headers['location']]).toEqual([200, undefined]);
  const titled = await put(subject, '/Titled/B', { Name: 'One' });
  expect([titled.status, titled.body.Data.Code]).toEqual([201, 'B']);
  expectAnswer(await put(subject, '/mapped/C', { name: 'One' }), 201, success({ called: 'One' }));
  expectAnswer(await put(subject, '/mapped/C', { name: 'Two' }), 200, success({ called: 'Two' }));
});

contract('conflictColumnNames finds the record by values of the body', async (subject) => {
  expect((await put(subject, '/body', { code: 'A', name: 'One' })).status).toBe(201);
  expect((await put(subject, '/body', { code: 'A', name: 'Two' })).status).toBe(200);
  expectAnswer(
    await put(subject, '/body', { name: 'Two' }),
    400,
    inputErrors({ code: "'code' is required." }),
  );
  expect(await subject.count(Item)).toBe(1);
});

contract('An Upsert that is sent again under its Idempotency-Key gets the first answer', async (subject) => {
  for (const url of everyWay) {
    const path = `/${url}/I-${url}`;
    const first = await put(subject, path, { name: 'One' }, { 'Idempotency-Key': `"1-${url}"` });
    const second = await put(subject, path, { name: 'Two' }, { 'Idempotency-Key': `"2-${url}"` });
    expect([first.status, second.status]).toEqual([201, 200]);
    for (const [key, name, answer] of [
      ['1', 'One', first],
      ['2', 'Two', second],
    ] as const) {
      const again = await put(subject, path, { name }, { 'Idempotency-Key': `"${key}-${url}"` });
      expect([again.status, again.text]).toEqual([answer.status, answer.text]);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(again.headers['location']).toBe(answer.headers['location']);
    }
    const failing = await put(subject, path, { name: 'X' }, { 'Idempotency-Key': '"f"', 'If-Match': '"9"' });
    expectAnswer(failing, 412, failed);
    expect(await stored(subject, `I-${url}`)).toMatchObject({ name: 'Two', version: 2 });
  }
});
