import { afterAll, expect } from '@jest/globals';
import { once, service, type Subject } from '../support/contract.js';
import { startWire } from '../support/wire.js';
import { Dial, gaugesWith, together } from './gathered.gauges.js';

const wire = await startWire(String(process.env['TEST_DATABASE_URL']));
afterAll(() => wire.close());

const one = { driverOptions: { host: '127.0.0.1', port: wire.port }, pool: { min: 1, max: 1 } };

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

interface Asker {
  readonly asker: string;
}

const askersOf = (answers: readonly { readonly data: unknown }[]): number[] =>
  answers.map(({ data }) => Number((data as Asker).asker));

const dials = async ({ em }: Subject, count: number): Promise<readonly number[]> => {
  const ids = numbers(count);
  await em().insertMany(
    Dial,
    ids.map((id) => ({ id, text: 'text' })),
  );
  return ids;
};

/** An application whose every request is somebody else's. */
const securedBy = (variables: (asker: number) => Record<string, string>) => {
  let askers = 0;
  const root = { rowLevelSecurity: { variables: () => variables(++askers) } };
  return { ...service(gaugesWith(root, one), once), begin: () => (askers = 0) };
};

const secured = securedBy((asker) => ({ 'app.asker': String(asker) }));

secured.contract(
  'With row level security, those of a message have each their own session',
  async (subject) => {
    const ids = await dials(subject, 8);
    secured.begin();
    wire.since();
    const answers = await together(
      subject,
      ids.map((id) => `/askers/${id}`),
    );
    expect(wire.since().syncs).toBeLessThanOrEqual(4);
    expect(askersOf(answers)).toEqual(expect.arrayContaining([...ids]));
  },
);

const alike = securedBy(() => ({ 'app.asker': '7' }));

alike.contract('Reads of one session that come together say once what it is', async (subject) => {
  const ids = await dials(subject, 12);
  wire.since();
  const answers = await together(
    subject,
    ids.map((id) => `/askers/${id}`),
  );
  expect(askersOf(answers)).toEqual(ids.map(() => 7));
  const { statements, syncs } = wire.since();
  expect(statements).toBe(ids.length + syncs);
  expect(syncs).toBeLessThanOrEqual(4);
});

const partly = securedBy((asker): Record<string, string> =>
  asker % 2 === 0 ? { 'app.asker': String(asker) } : { 'app.other': String(asker) },
);

partly.contract(
  'A session that does not set a variable does not see that of another one',
  async (subject) => {
    const ids = await dials(subject, 8);
    partly.begin();
    const answers = await together(
      subject,
      ids.map((id) => `/askers/${id}`),
    );
    const seen = askersOf(answers).filter((asker) => asker > 0);
    expect(seen.toSorted()).toEqual([2, 4, 6, 8]);
  },
);

const refused = securedBy((asker) => ({ 'app.asker': asker === 3 ? 'no\0text' : String(asker) }));

refused.contract('A session that the database refuses fails alone', async (subject) => {
  const ids = await dials(subject, 8);
  refused.begin();
  const answers = await together(
    subject,
    ids.map((id) => `/askers/${id}`),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...ids.slice(1).map(() => 200), 500]);
  const seen = askersOf(answers.filter(({ status }) => status === 200));
  expect(seen.toSorted()).toEqual(ids.filter((id) => id !== 3));
});

const growing = securedBy((asker): Record<string, string> =>
  asker % 2 === 0 ? { 'app.asker': String(asker), 'app.other': 'text' } : { 'app.asker': String(asker) },
);

/** Asks one after the other, as who asks first. */
const askersInTurn = async (
  { request }: Subject,
  ids: readonly number[],
  { begin }: { readonly begin: () => void },
): Promise<readonly number[]> => {
  begin();
  const seen: number[] = [];
  for (const id of ids) {
    const { body } = (await request().get(`/askers/${id}`).expect(200)) as { body: { data: Asker } };
    seen.push(Number(body.data.asker));
  }
  return seen;
};

growing.contract('Sessions of more variables and of fewer take turns on a connection', async (subject) => {
  const ids = await dials(subject, 8);
  expect(await askersInTurn(subject, ids, growing)).toEqual(ids);
});

const forgetful = securedBy((asker) => ({ 'app.asker': String(asker) }));

forgetful.contract(
  'A session is that of its request where the server has forgotten names',
  async (subject) => {
    const ids = await dials(subject, 4);
    expect(await askersInTurn(subject, ids, forgetful)).toEqual(ids);
    await subject.em().getConnection().execute('deallocate all');
    expect(await askersInTurn(subject, ids, forgetful)).toEqual(ids);
    expect(subject.log.text()).toContain('Statements are not prepared any more');
  },
);
