import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Authorization, ChangeRecord, Get, List, recordChanges } from '@nest-endpoints/core';
import { LiveLists } from '@nest-endpoints/live';
import { once, service, type Subject } from '../support/contract.js';
import type { Listener } from '../support/listener.js';
import { Statements } from '../support/statements.js';
import { heldUp } from '../support/waits.js';
import { has, listening, told } from './live.board.js';

/** Is read as soon as nobody has the lock of its tests, where it is `slow`. */
const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.text(),
    wait: p
      .string()
      .formula(`case when text = 'slow' then pg_advisory_xact_lock_shared(7)::text else '' end`)
      .lazy(),
  },
});

recordChanges(Note, { keepFor: 'forever' });

const notes = {
  modelClass: Note,
  readableColumnNames: ['id', 'text'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  live: true,
} as const;

/** Judgements that wait until the test lets them through. */
const judgements = { areHeld: false, waiting: 0, most: 0, go: Promise.withResolvers<null>() };

class Judging extends Authorization {
  override async gate(): Promise<boolean> {
    if (!judgements.areHeld) return true;
    judgements.waiting += 1;
    judgements.most = Math.max(judgements.most, judgements.waiting);
    await judgements.go.promise;
    judgements.waiting -= 1;
    return true;
  }
}

const { contract } = service(
  {
    entities: [Note, ChangeRecord],
    endpoints: [
      // A time that no timer can wait for.
      new List({ ...notes, url: 'notes', timeout: 10_000_000_000 }),
      new Get({ ...notes, url: 'notes/:id' }),
      new List({ ...notes, url: 'slow', readableColumnNames: ['id', 'text', 'wait'], timeout: 1000 }),
      new List({ ...notes, url: 'pinged', live: { heartbeat: 1000 } }),
      new List({ ...notes, url: 'judged', authorization: new Judging() }),
    ],
    root: { live: new LiveLists({ interval: 100, judgeEvery: 1000, maximumStreamsEach: 100 }) },
  },
  once,
);

const names = ({ events }: Listener): readonly string[] => events.map(({ event }) => event);

/** Writes to notes in one transaction, so that streams hear of all of them at once. */
const rewrite = ({ em }: Subject, of: (id: number) => string | undefined): Promise<void> =>
  em().transactional(async (own) => {
    for (const note of await own.findAll(Note)) note.text = of(note.id) ?? note.text;
  });

/** Writes as many notes as are too long together, once each has ten thousand letters. */
const many = async ({ em }: Subject): Promise<void> => {
  await em().insertMany(
    Note,
    Array.from({ length: 20 }, () => ({ text: 'first' })),
  );
};

/** Does something while a note that is slow cannot be read. */
const whileSlow = async ({ em }: Subject, work: () => Promise<void>): Promise<void> => {
  const own = em().fork();
  await own.begin();
  const connection = own.getConnection();
  await connection.execute('select pg_advisory_xact_lock(7)', [], 'run', own.getTransactionContext());
  try {
    await work();
  } finally {
    await own.rollback();
  }
};

contract(
  'Changes that are longer than a client may be behind are the first page once more, read once for all',
  async (subject) => {
    await many(subject);
    const statements = await Statements.of(subject);
    await listening(subject, [['/notes'], ['/notes'], ['/notes']], async (...streams) => {
      for (const stream of streams) await stream.until(told);
      const sent = await statements.during(async () => {
        await rewrite(subject, (id) => String(id).repeat(10_000));
        for (const stream of streams) await stream.until(({ events }) => events.length === 3);
      });
      for (const stream of streams) {
        expect(names(stream)).toEqual(['snapshot', 'reset', 'snapshot']);
        expect(JSON.stringify(stream.events[2])).toContain('20'.repeat(10_000));
      }
      expect(sent.filter((text) => text.includes(' from "note" as "e0"'))).toHaveLength(2);
      // Few enough are told one by one, and one alone at any length.
      await rewrite(subject, (id) => String(id).repeat(1000));
      for (const stream of streams) await stream.until(({ events }) => events.length === 23);
      await rewrite(subject, (id) => (id === 7 ? '7'.repeat(300_000) : undefined));
      for (const stream of streams) {
        await stream.until(({ events }) => events.length === 24);
        expect(new Set(names(stream).slice(3))).toEqual(new Set(['changed']));
        expect(JSON.stringify(stream.events[23])).toContain('7'.repeat(300_000));
      }
    });
  },
);

contract('A client that comes again is told no more than it may be behind', async (subject) => {
  await many(subject);
  let lastId = '';
  await listening(subject, [['/notes']], async (stream) => {
    ({ lastId } = await stream.until(told));
  });
  await rewrite(subject, (id) => String(id).repeat(10_000));
  await listening(subject, [['/notes', { 'Last-Event-ID': lastId }]], async (stream) => {
    await stream.until(told);
    expect(names(stream)).toEqual(['reset', 'snapshot']);
  });
});

contract(
  'What takes longer than requests may is given up, and read again as it is by then',
  async (subject) => {
    const { id } = await subject.save(Note, { text: 'first' });
    await listening(subject, [['/slow'], [`/notes/${id}`]], async (slow, one) => {
      for (const stream of [slow, one]) await stream.until(told);
      await whileSlow(subject, async () => {
        await rewrite(subject, () => 'slow');
        await heldUp(subject);
        await one.until(({ events }) => JSON.stringify(events).includes('slow'));
        await rewrite(subject, () => 'quick');
        await slow.until(has('changed'));
        await one.until(({ events }) => JSON.stringify(events).includes('quick'));
        expect(slow.events.slice(1)).toEqual([
          { event: 'changed', data: { data: { id, text: 'quick', wait: '' } } },
        ]);
      });
    });
  },
);

contract('What cannot be read again and again ends its stream, whose client comes again', async (subject) => {
  await subject.save(Note, { text: 'first' });
  await listening(subject, [['/slow']], async (stream) => {
    await stream.until(told);
    await whileSlow(subject, async () => {
      await rewrite(subject, () => 'slow');
      await stream.ended();
    });
    expect(names(stream)).toEqual(['snapshot', 'reset']);
    expect(stream.retry).toBeGreaterThanOrEqual(1000);
  });
});

contract('A client for whom nobody can read what it missed begins anew', async (subject) => {
  for (const text of ['first', 'second', 'third']) await subject.save(Note, { text });
  let lastId = '';
  await listening(subject, [['/slow?limit=1']], async (stream) => {
    ({ lastId } = await stream.until(told));
  });
  await whileSlow(subject, async () => {
    await rewrite(subject, (id) => (id === 3 ? 'slow' : undefined));
    await listening(subject, [['/slow?limit=1', { 'Last-Event-ID': lastId }]], async (stream) => {
      await stream.until(told);
      expect(stream.events).toEqual([
        { event: 'reset', data: {} },
        { event: 'snapshot', data: { data: [{ id: 1, text: 'first', wait: '' }] } },
      ]);
    });
  });
});

contract('A stream with always too much to tell begins anew less and less often', async (subject) => {
  await many(subject);
  await listening(subject, [['/pinged']], async (stream) => {
    await stream.until(told);
    const times: number[] = [];
    for (let time = 0; times.length < 3; time += 1) {
      await rewrite(subject, (id) => `${id}${time}`.repeat(10_000));
      const snapshots = stream.named('snapshot').length - 1;
      if (snapshots > times.length) times.push(performance.now());
    }
    const [first = 0, second = 0, third = 0] = times;
    expect(stream.named('ping')).not.toEqual([]);
    expect(second - first).toBeGreaterThanOrEqual(700);
    expect(third - second).toBeGreaterThanOrEqual(1700);
    // In the end it has all of it.
    await rewrite(subject, (id) => `last ${id}`);
    await stream.until(({ events }) => JSON.stringify(events).includes('last 20'));
  });
});

contract('A place behind which changes were taken away begins anew', async (subject) => {
  const { em, save } = subject;
  await save(Note, { text: 'first' });
  let lastId = '';
  await listening(subject, [['/notes']], async (stream) => {
    ({ lastId } = await stream.until(told));
  });
  const again = { 'Last-Event-ID': lastId };
  await save(Note, { text: 'second' });
  await listening(subject, [['/notes', again]], async (stream) => {
    await stream.until(has('changed'));
    expect(names(stream)).toEqual(['changed']);
  });
  // As with a partition of the log that is dropped.
  await em().nativeDelete(ChangeRecord, {});
  await save(Note, { text: 'third' });
  await listening(subject, [['/notes', again]], async (stream) => {
    await stream.until(told);
    expect(names(stream)).toEqual(['reset', 'snapshot']);
  });
});

contract('Streams that began together are judged sixteen at a time, and all of them', async (subject) => {
  const asked = Array.from({ length: 60 }, () => ['/judged'] as const);
  await listening(subject, [['/pinged'], ...asked], async (pinged, ...streams) => {
    for (const stream of streams) await stream.until(told);
    judgements.areHeld = true;
    // All of them are due by then.
    await pinged.until(({ events }) => events.filter(({ event }) => event === 'ping').length === 2);
    judgements.areHeld = false;
    expect([judgements.waiting, judgements.most]).toEqual([16, 16]);
    judgements.go.resolve(null);
    await subject.save(Note, { text: 'heard' });
    for (const stream of streams) await stream.until(has('changed'));
  });
});
