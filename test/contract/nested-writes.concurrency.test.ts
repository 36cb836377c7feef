import { expect } from '@jest/globals';
import { EndpointGroup } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { Book, linked, Tag, tagsOf } from './nested-writes.books.js';
import { by, nested, Stop, Trip } from './nested-writes.trips.js';

const { contract } = service(
  {
    entities: [...new Set([...nested.entities, ...linked.entities])],
    endpoints: [...nested.endpoints, new EndpointGroup({ url: 'library', endpoints: [...linked.endpoints] })],
  },
  once,
);

const rounds = Array.from({ length: 20 }, (_, index) => index);

const statusesOf = async (
  requests: readonly PromiseLike<{ readonly status: number; readonly body: { readonly error?: string } }>[],
) => (await Promise.all(requests)).map(({ status }) => status);

/** Trips of two stops each, which nobody else has. */
const tripsOf = async ({ save }: Subject, number: number) => {
  const made = Array.from({ length: number }, async () => {
    const trip = await save(Trip, { title: 'Coast' });
    const first = await save(Stop, { title: 'first', position: 1, trip });
    const second = await save(Stop, { title: 'second', position: 2, trip });
    return { trip: trip.id, stops: [first.id, second.id] as const };
  });
  return Promise.all(made);
};

contract(
  'Two updates that swap the positions of related records leave one of both orders',
  async (subject) => {
    const [one] = await tripsOf(subject, 1);
    const [a, b] = one?.stops ?? [0, 0];
    const swap = (first: number, second: number) => ({
      stops: {
        update: [
          { id: a, position: first },
          { id: b, position: second },
        ],
      },
    });
    const path = `/trips/${one?.trip ?? 0}`;
    for (const round of rounds) {
      const both = [swap(1, 2), swap(2, 1)].map((body) => by(subject).patch(path, body));
      expect(await statusesOf(both)).toEqual([200, 200]);
      const [first, second] = await subject
        .em()
        .find(Stop, { trip: one?.trip ?? 0 }, { orderBy: { id: 'asc' } });
      expect([first?.position, second?.position].toSorted()).toEqual([1, 2]);
      expect(round).toBeLessThan(rounds.length);
    }
  },
);

contract(
  'Updates that take related records from each other all end, and no record is in two places',
  async (subject) => {
    const [one, two] = await tripsOf(subject, 2);
    const link = (trip: number, ids: readonly number[]) =>
      by(subject).patch(`/trips/${trip}`, { stops: { link: ids } });
    const [first, second] = [one?.trip ?? 0, two?.trip ?? 0];
    const all = [...(one?.stops ?? []), ...(two?.stops ?? [])];
    for (const round of rounds) {
      const orders = [link(first, all), link(second, all.toReversed())];
      expect([round, await statusesOf(orders)]).toEqual([round, [200, 200]]);
      const stops = await subject.em().find(Stop, {});
      expect(new Set(stops.map(({ trip }) => trip?.id)).size).toBe(1);
    }
  },
);

contract(
  'Of two updates with the same version of the record one writes its related records',
  async (subject) => {
    const [one] = await tripsOf(subject, 1);
    const path = `/trips/${one?.trip ?? 0}`;
    const requests = rounds.map((index) =>
      by(subject).patch(path, { stops: { create: [{ title: `new ${index}` }] } }, '"1"'),
    );
    expect((await statusesOf(requests)).toSorted()).toEqual([200, ...rounds.slice(1).map(() => 412)]);
    expect(await subject.em().count(Stop, { title: { $like: 'new%' } })).toBe(1);
  },
);

contract(
  'Updates of two records that change and unlink the same related ones in other orders wait for each other, and fail neither',
  async (subject) => {
    const { em, save } = subject;
    const tags = await Promise.all(['a', 'b'].map((name) => save(Tag, { name })));
    const [a, b] = tags.map(({ id }) => id);
    const [one, two] = await Promise.all(['One', 'Two'].map((title) => save(Book, { title })));
    const statements = await Statements.of(subject);
    for (const round of rounds) {
      await em().getConnection().execute('delete from book_tags');
      await em()
        .getConnection()
        .execute('insert into book_tags (book_id, tag_id) select b.id, t.id from book b, tag t');
      const send = (book: number | undefined, changed: number | undefined, unlinked: number | undefined) =>
        by(subject).patch(`/library/books/${book ?? 0}`, {
          tags: { unlink: [unlinked], update: [{ id: changed, rank: round + 1 }] },
        });
      const sent = await statements.during(async () => {
        expect([round, await statusesOf([send(one?.id, a, b), send(two?.id, b, a)])]).toEqual([
          round,
          [200, 200],
        ]);
      });
      // Nobody is undone, and tried again.
      expect(sent.filter((text) => text.startsWith('rollback'))).toEqual([]);
      expect(await tagsOf(subject)).toEqual({ One: ['a'], Two: ['b'] });
    }
  },
);
