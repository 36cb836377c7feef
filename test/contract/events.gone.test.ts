import { expect, test } from '@jest/globals';
import { startReceiver } from '../support/receiver.js';
import { during } from '../support/during.js';
import { soon } from './events.during.js';
import { depot, of, subscribe } from './events.parcels.js';

test('A receiver that is gone ends no subscription that goes elsewhere by now', async () => {
  const receiver = await startReceiver();
  await during(depot(), async ({ request }) => {
    const { id } = await subscribe({ request }, of(1), `${receiver.url}/old`);
    const at = `/webhooks/${id}`;
    const moved = Promise.withResolvers<number>();
    receiver.answer = ({ path }, response) => {
      if (path !== '/old') response.writeHead(410).end();
      else
        void request()
          .patch(at)
          .set(of(1))
          .send({ url: `${receiver.url}/new` })
          .then(({ status }) => {
            response.writeHead(410).end();
            moved.resolve(status);
          }, moved.reject);
    };
    const toldBy = async (count: number): Promise<unknown> => {
      await request().post(`${at}/test`).set(of(1));
      await soon(async () => {
        const { body } = await request().get(`${at}/deliveries`).set(of(1));
        const told = (body.data as { last_status: number | null }[]).filter(
          ({ last_status }) => last_status === 410,
        );
        return told.length >= count ? told : undefined;
      });
      return (await request().get(at).set(of(1))).body.data;
    };
    expect(await toldBy(1)).toMatchObject({ active: true, disabled_for: null });
    expect(await moved.promise).toBe(200);
    expect(await toldBy(2)).toMatchObject({
      active: false,
      disabled_for: 'The receiver has answered 410 Gone',
    });
  });
  await receiver.close();
});
