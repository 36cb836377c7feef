import { expect } from '@jest/globals';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Item, upserting } from './upserted.stock.js';

const { contract } = service(upserting(), postgresqlOnly);

const everyWay = ['items', 'hooked'] as const;

const clients = Array.from({ length: 64 }, (_, index) => index);

/** How often each status was answered. */
const tally = (answers: readonly { readonly status: number }[]) =>
  answers.reduce<Record<number, number>>(
    (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );

const put = ({ request }: Subject, path: string, body: object, headers: Record<string, string> = {}) =>
  request().put(path).set(headers).send(body);

contract(
  'Of 64 Upserts of one new key at once one creates the record, and the others update it',
  async (subject) => {
    for (const url of everyWay) {
      const code = `N-${url}`;
      const answers = await Promise.all(
        clients.map(async (index) => put(subject, `/${url}/${code}`, { name: `Name ${index}` })),
      );
      expect(tally(answers)).toEqual({ 201: 1, 200: 63 });
      expect(await subject.em().findOneOrFail(Item, { code })).toMatchObject({ version: 64 });
    }
  },
);

contract(
  'Of two Upserts with If-None-Match: * at once one creates the record, and one is 412',
  async (subject) => {
    for (const url of everyWay)
      for (const round of clients.slice(0, 10)) {
        const answers = await Promise.all(
          [0, 1].map(async () =>
            put(subject, `/${url}/M-${url}-${round}`, { name: 'One' }, { 'If-None-Match': '*' }),
          ),
        );
        expect(tally(answers)).toEqual({ 201: 1, 412: 1 });
      }
  },
);

contract('An Upsert beside deletes creates or updates, and never finds nothing', async (subject) => {
  for (const url of everyWay) {
    const code = `D-${url}`;
    const answers = await Promise.all(
      clients.map(async (index) => {
        if (index % 2 === 1)
          return subject
            .em()
            .nativeDelete(Item, { code })
            .then(() => undefined);
        return put(subject, `/${url}/${code}`, { name: `Name ${index}` });
      }),
    );
    const statuses = answers.flatMap((answer) => answer?.status ?? []);
    expect(statuses).toHaveLength(32);
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  }
});

contract(
  'Upserts that take each other’s unique value leave one of them with its message',
  async (subject) => {
    const refused = inputErrors({
      barcode: "Invalid value for 'barcode': the given value already exists, and must be unique.",
    });
    for (const url of everyWay) {
      const answers = await Promise.all(
        ['a', 'b'].map(async (letter) =>
          put(subject, `/${url}/${letter}-${url}`, { name: letter, barcode: url }),
        ),
      );
      expect(tally(answers)).toEqual({ 201: 1, 400: 1 });
      for (const answer of answers) if (answer.status === 400) expectAnswer(answer, 400, refused);
    }
  },
);
