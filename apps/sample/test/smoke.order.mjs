// Cities that several clients put in order at once, by a kind of the sample's own.
import { deepStrictEqual, equal, ok } from 'node:assert/strict';

const paris = 2988507;
const marseille = 2995469;
const lyon = 2996944;

export async function putInOrder({ url, step, call }) {
  const order = `${url}/examples/countries/FR/city-order`;
  const put = (ids, at = order) => call(at, 'PUT', { ids });
  const now = async () => (await call(order)).body.data.map(({ id, position }) => [position, id]);

  await step('cities of a country get the order of their ids in the body', async () => {
    const { code, body } = await put([paris, marseille, lyon]);
    deepStrictEqual([code, body.data.map(({ name }) => name)], [200, ['Paris', 'Marseille', 'Lyon']]);
    deepStrictEqual((await put([lyon, paris])).body.data.at(-1), { id: paris, name: 'Paris', position: 2 });
    deepStrictEqual(await now(), [
      [1, lyon],
      [2, paris],
    ]);
  });
  await step('ids that are there twice, unknown, or of another country change nothing', async () => {
    const berlin = 2950159;
    const complaints = [];
    for (const ids of [[paris, paris], [paris, 1, berlin], [], ['x']])
      complaints.push((await put(ids)).body.input_errors.ids);
    deepStrictEqual(complaints, [
      `${paris} is there twice`,
      `no cities of the country: 1, ${berlin}`,
      `'ids' is required.`,
      'value should be an integer',
    ]);
    equal((await put([paris], `${url}/examples/countries/QQ/city-order`)).code, 404);
    deepStrictEqual(await now(), [
      [1, lyon],
      [2, paris],
    ]);
  });
  await step('orders that come at once come one after the other', async () => {
    const wished = [[paris, lyon], [lyon, paris], [marseille, lyon, paris], [lyon, marseille], [marseille]];
    const answers = await Promise.all([...wished, ...wished].map((ids) => put(ids)));
    deepStrictEqual(new Set(answers.map(({ code }) => code)), new Set([200]));
    const last = JSON.stringify((await now()).map(([, id]) => id));
    ok(wished.map((ids) => JSON.stringify(ids)).includes(last), last);
    return last;
  });
}
