// Of three processes the one that hands events on, and the receiver, are killed again and again under load; then the one that hands
// on hangs, with its connections open. Nothing is lost, and what comes twice has the same id.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { largest, repeatedly, whole } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';
import { Relays, until } from './support/relays.mjs';
import { WebhookReceiver } from './support/webhook.receiver.mjs';

const entry = new URL('applications/parcels.mjs', import.meta.url);

/** How many parcels one request makes. */
const together = 10;

export const drill = {
  forms: {
    short: { processes: 2, kills: 4, load: 300, hangs: 0, waiting: 3000 },
    full: { processes: 3, kills: 100, load: 300, hangs: 3, waiting: 40_000 },
  },
  limits: {
    events: atLeast(({ kills }) => kills),
    lost: exactly(0),
    otherIds: exactly(0),
    /** From the moment that the process hangs, in milliseconds. */
    takeover: atMost(30_000),
    positionsGoneBack: exactly(0),
    /** Deliveries that are kept with the position, from a log that waits. Slow machines are no defect. */
    eventsASecond: atLeast(({ kills }) => (kills < 100 ? 200 : 2000)),
  },

  async run(stage, { processes, kills, load, hangs, waiting }) {
    const postgres = await stage.postgres();
    const writer = await stage.application({ entry, databaseUrl: postgres.url, isRelay: false });
    const client = clientOf(writer.url);
    stage.defer(() => client.close());
    const receiver = new WebhookReceiver();
    await receiver.open();
    stage.defer(() => receiver.close());
    await receiver.subscribe(postgres);
    const made = [];
    const make = async (count = together) => {
      const records = Array.from({ length: count }, () => ({ name: 'Books' }));
      const { status, body } = await client.post('/parcels/bulk', { records });
      if (status === 201) made.push(...body.data.map(({ id }) => id));
    };
    const relays = new Relays(stage, postgres);
    await relays.begin(processes);
    const positions = watchPositions(postgres);
    let isOver = false;
    const writing = repeatedly(
      1,
      () => isOver,
      async () => {
        await make();
        await sleep(200);
      },
    );
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(load);
      await relays.killHolder();
      await receiver.close();
      await receiver.open();
    }
    const takeovers = [];
    for (let hang = 0; hang < hangs; hang += 1) takeovers.push(await relays.stopHolder());
    isOver = true;
    await writing;
    const missing = () => {
      const ids = receiver.ids();
      return made.filter((id) => !ids.has(id));
    };
    await until(() => missing().length === 0, 120_000).catch(() => undefined);
    await relays.end();
    const ids = receiver.ids();
    return {
      kills,
      hangs,
      events: ids.size,
      twice: receiver.taken.length - ids.size,
      lost: missing().length,
      otherIds: [...ids.values()].filter((all) => all.size > 1).length,
      takeover: whole(largest(takeovers)),
      positionsGoneBack: await positions.end(),
      ...(await handedOn(stage, postgres, { make, waiting })),
    };
  },
};

/** How many changes a second are handed on from a log that waits. Handing on is what is measured, not sending. */
async function handedOn(stage, postgres, { make, waiting }) {
  await postgres.query('delete from webhook_delivery');
  for (let count = 0; count < waiting; count += 100) await make(100);
  const waited = await left(postgres);
  await stage.application({ entry, databaseUrl: postgres.url, first: 3_600_000 });
  const since = performance.now();
  const rest = await left(postgres);
  await until(async () => (await left(postgres)) === 0, 120_000);
  const took = performance.now() - since;
  return { waited, eventsASecond: rest === 0 ? 1_000_000 : whole((rest / took) * 1000) };
}

/** How many changes wait to be handed on. */
async function left(postgres) {
  const [{ count }] =
    await postgres.query(`select count(*)::int as count from change_record c, event_position p
    where (c.transaction, c.id) > (p.transaction::xid8, p.change_id::bigint)`);
  return count;
}

/** Looks at the position all the time: it only goes on. */
function watchPositions(postgres) {
  let last = [0n, 0n];
  let back = 0;
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const [row] = await postgres.query('select transaction, change_id from event_position').catch(() => []);
      if (row !== undefined) {
        const now = [BigInt(row.transaction), BigInt(row.change_id)];
        if (now[0] < last[0] || (now[0] === last[0] && now[1] < last[1])) back += 1;
        last = now;
      }
      await sleep(50);
    }
  })();
  return {
    end: async () => {
      isOver = true;
      await looking;
      return back;
    },
  };
}
