// The process that hands events on, and their receivers, are killed again and again under load; then the process hangs, with its
// connections open. Nothing is lost, and what comes twice has the same id.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { repeatedly, whole } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

const entry = new URL('applications/parcels.mjs', import.meta.url);

/** How many parcels one request makes. */
const together = 10;

export const drill = {
  forms: {
    short: { kills: 4, load: 300, hangs: 0, waiting: 3000 },
    full: { kills: 100, load: 300, hangs: 1, waiting: 40_000 },
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

  async run(stage, { kills, load, hangs, waiting }) {
    const postgres = await stage.postgres();
    const begin = (isRelay = true, first = 0) =>
      stage.application({ entry, databaseUrl: postgres.url, isRelay, first });
    const writer = await begin(false);
    const client = clientOf(writer.url);
    stage.defer(() => client.close());
    const receiver = new Receiver();
    await receiver.open();
    stage.defer(() => receiver.close());
    const secret = Buffer.alloc(32).toString('base64');
    await postgres.query(`insert into webhook_subscription (url, events, secrets, active, audience, created_at) values
      ('http://127.0.0.1:${String(receiver.port)}/', '["parcel"]', '[{"value": "whsec_${secret}", "until": null}]', true,
        'application', now())`);
    const made = [];
    const make = async (count = together) => {
      const records = Array.from({ length: count }, () => ({ name: 'Books' }));
      const { status, body } = await client.post('/parcels/bulk', { records });
      if (status === 201) made.push(...body.data.map(({ id }) => id));
    };
    const relays = [await begin(), await begin()];
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
      await relays[kill % 2].end();
      if (kill % 3 === 0) {
        await receiver.close();
        await receiver.open();
      }
      relays[kill % 2] = await begin();
    }
    let takeover = 0;
    for (let hang = 0; hang < hangs; hang += 1) takeover = Math.max(takeover, await hung(postgres, relays));
    isOver = true;
    await writing;
    await until(() => made.every((id) => receiver.ids.has(id)), 120_000).catch(() => undefined);
    const lost = made.filter((id) => !receiver.ids.has(id)).length;
    for (const relay of relays) await relay.end();

    // What waits in the log is handed on at once.
    await postgres.query(`delete from webhook_delivery`);
    await postgres.query(`update webhook_subscription set url = 'http://127.0.0.1:1/'`);
    for (let count = 0; count < waiting; count += 100) await make(100);
    const [{ count }] =
      await postgres.query(`select count(*)::int as count from change_record c, event_position p
      where (c.transaction, c.id) > (p.transaction::xid8, p.change_id::bigint)`);
    const [{ id: last }] = await postgres.query('select max(id)::text as id from change_record');
    // Handing on is what is measured, not sending.
    await begin(true, 3_600_000);
    const since = performance.now();
    const rest = await left(postgres);
    await until(async () => (await left(postgres)) === 0, 120_000);
    const took = performance.now() - since;
    return {
      kills,
      events: receiver.ids.size,
      twice: receiver.count - receiver.ids.size,
      lost,
      otherIds: [...receiver.ids.values()].filter((ids) => ids.size > 1).length,
      takeover: whole(takeover),
      positionsGoneBack: await positions.end(),
      waited: count,
      last,
      eventsASecond: rest === 0 ? 1_000_000 : whole((rest / took) * 1000),
    };
  },
};

/** How many changes wait to be handed on. */
async function left(postgres) {
  const [{ count }] =
    await postgres.query(`select count(*)::int as count from change_record c, event_position p
    where (c.transaction, c.id) > (p.transaction::xid8, p.change_id::bigint)`);
  return count;
}

/** Stops the process that hands events on, and waits until another one does. */
async function hung(postgres, relays) {
  const holder = async () => (await postgres.query('select holder, beat::int from event_position'))[0];
  const before = await holder();
  // Which of them has it shows when it is stopped: nobody else can move the position.
  for (const relay of relays) {
    relay.kill('SIGSTOP');
    const [first, , second] = [await holder(), await sleep(1500), await holder()];
    if (first.beat !== second.beat) {
      relay.kill('SIGCONT');
      continue;
    }
    const since = performance.now() - 1500;
    await until(async () => (await holder()).holder !== before.holder, 60_000);
    const took = performance.now() - since;
    relay.kill('SIGCONT');
    return took;
  }
  throw new Error('No process hands events on');
}

async function until(isDone, time) {
  const end = performance.now() + time;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error('It takes too long');
    await sleep(20);
  }
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

/** A server of webhooks that remembers the ids by the keys of records. */
class Receiver {
  ids = new Map();
  count = 0;
  port = 0;
  #server;

  async open() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const { id } = JSON.parse(body).data;
        const ids = this.ids.get(id) ?? new Set();
        this.ids.set(id, ids.add(request.headers['webhook-id']));
        this.count += 1;
        response.writeHead(200).end();
      });
    });
    await new Promise((resolve) => this.#server.listen(this.port, '127.0.0.1', resolve));
    this.port = this.#server.address().port;
  }

  close() {
    return new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}
