// One record is changed again and again while the process that hands events on is killed, and the receiver refuses half of the
// events once. With `ordered: 'record'` it takes them in the order of the changes.
import { clientOf } from './support/client.mjs';
import { atLeast, exactly } from './support/limits.mjs';
import { Relays, until } from './support/relays.mjs';
import { WebhookReceiver } from './support/webhook.receiver.mjs';

const entry = new URL('applications/parcels.mjs', import.meta.url);

export const drill = {
  forms: { short: { updates: 100, kills: 1 }, full: { updates: 1000, kills: 10 } },
  limits: {
    changed: atLeast(({ updates }) => updates),
    refused: atLeast(({ updates }) => updates / 3),
    lost: exactly(0),
    overtaken: exactly(0),
    otherIds: exactly(0),
  },

  async run(stage, { updates, kills }) {
    const postgres = await stage.postgres();
    const writer = await stage.application({ entry, databaseUrl: postgres.url, isRelay: false });
    const client = clientOf(writer.url);
    stage.defer(() => client.close());
    const seen = new Set();
    const receiver = new WebhookReceiver(({ id }) => {
      const isFirst = !seen.has(id);
      seen.add(id);
      return isFirst && seen.size % 2 === 0;
    });
    await receiver.open();
    stage.defer(() => receiver.close());
    await receiver.subscribe(postgres);
    const relays = new Relays(stage, postgres, { ordered: 'record' });
    await relays.begin(2);
    const { body } = await client.post('/parcels', { name: '0' });
    const { id } = body.data;
    let changed = 0;
    for (let update = 1; update <= updates; update += 1) {
      const { status } = await client.send('PATCH', `/parcels/${String(id)}`, { name: String(update) });
      if (status === 200) changed += 1;
      if (update % Math.ceil(updates / kills) === 0) await relays.killHolder();
    }
    await until(() => receiver.taken.at(-1)?.data.name === String(updates), 600_000);
    const numbers = receiver.taken.map(({ data }) => Number(data.name));
    const ids = new Map();
    for (const { id: event, data } of receiver.taken)
      ids.set(data.name, (ids.get(data.name) ?? new Set()).add(event));
    return {
      changed,
      kills,
      refused: receiver.refused,
      twice: numbers.length - ids.size,
      lost: changed + 1 - ids.size,
      overtaken: numbers.filter((number, index) => number < (numbers[index - 1] ?? 0)).length,
      otherIds: [...ids.values()].filter((all) => all.size > 1).length,
    };
  },
};
