import { expect } from '@jest/globals';
import { RestfulApi } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { Listener } from '../support/listener.js';
import { Claims } from './claims.js';
import { board, Card, cards, has, listening, of, told } from './live.board.js';

const crowd = service(board({ maximumStreamsEach: 1000, heartbeat: 60_000 }), once);

crowd.contract('A thousand streams of one list cost one statement a change', async (subject) => {
  const statements = await Statements.of(subject);
  await subject.save(Card, { title: 'first', tenant: 'a' });
  const asked = Array.from({ length: 1000 }, () => ['/cards', of('a')] as const);
  await listening(subject, asked, async (...streams) => {
    for (const stream of streams) await stream.until(told);
    const sent = await statements.during(async () => {
      await subject.save(Card, { title: 'second', tenant: 'a' });
      for (const stream of streams) await stream.until(has('changed'));
    });
    expect(sent.filter((text) => /^select .* from "card"/.test(text))).toHaveLength(1);
    expect(new Set(streams.map(({ events }) => JSON.stringify(events))).size).toBe(1);
  });
});

crowd.contract(
  'A stream asks the log which records changed, and for none of their values',
  async (subject) => {
    const statements = await Statements.of(subject);
    const card = await subject.save(Card, { title: 'first', tenant: 'a' });
    const isOfLog = (text: string): boolean => /^select .* from .*"change_record" as log/.test(text);
    const first = await Listener.open(`${subject.url}/cards`, of('a'));
    const looked = await statements.during(async () => {
      await first.until(told);
      await subject
        .request()
        .patch(`/all-cards/${card.id}`)
        .send({ title: 'x'.repeat(100_000) });
      await first.until(has('changed'));
    });
    first.close();
    await subject.request().patch(`/all-cards/${card.id}`).send({ title: 'second' });
    const resumed = await statements.during(async () => {
      const again = { ...of('a'), 'Last-Event-ID': first.lastId };
      await listening(subject, [['/cards', again]], async (stream) => {
        await stream.until(has('changed'));
      });
    });
    for (const sent of [looked, resumed]) {
      expect(sent.filter(isOfLog)).not.toEqual([]);
      expect(sent.filter((text) => isOfLog(text) && /"(before|after|context)"/.test(text))).toEqual([]);
    }
  },
);

const policies = service(
  board({}, [], {
    root: {
      rowLevelSecurity: {
        variables: (identity) => ({ 'app.sub': (identity as { sub?: string } | undefined)?.sub }),
        role: 'nest_endpoints_reader',
      },
    },
  }),
  once,
);

const protect = ({ em }: Subject): Promise<unknown> =>
  em().getConnection().executeDump(`
    do $$ begin
      create role nest_endpoints_reader;
    exception when duplicate_object or unique_violation then null; end $$;
    grant all on card, slip to nest_endpoints_reader;
    alter table card enable row level security;
    drop policy if exists own on card;
    create policy own on card using (title <> 'not for ' || current_setting('app.sub', true));`);

policies.contract('A stream has what policies of the database let its sender see', async (subject) => {
  await protect(subject);
  const shown = await subject.save(Card, { title: 'shown', tenant: 'a' });
  await subject.save(Card, { title: 'not for ann', tenant: 'a' });
  const asked = ['ann', 'bob'].map((sub) => ['/cards', of('a', { sub })] as const);
  await listening(subject, asked, async (ann, bob) => {
    await ann.until(told);
    await bob.until(told);
    expect(ann.named('snapshot')).toEqual([{ data: [{ id: shown.id, title: 'shown', state: 'open' }] }]);
    expect(bob.named('snapshot')).toEqual([{ data: [expect.anything(), expect.anything()] }]);
    await subject.em().transactional(async (own) => {
      (await own.findOneOrFail(Card, shown.id)).title = 'not for ann';
    });
    await ann.until(has('left'));
    const made = await subject.save(Card, { title: 'not for bob', tenant: 'a' });
    await ann.until(has('changed'));
    await bob.until(has('changed'));
    expect(ann.events.slice(1)).toEqual([
      { event: 'left', data: { id: shown.id } },
      { event: 'changed', data: { data: { id: made.id, title: 'not for bob', state: 'open' } } },
    ]);
    expect(bob.events.slice(1)).toEqual([
      { event: 'changed', data: { data: { id: shown.id, title: 'not for ann', state: 'open' } } },
    ]);
  });
});

const separate = service(
  board({}, [new RestfulApi({ ...cards, url: 'own-cards', authentication: new Claims(), live: true })], {
    root: { schemaOf: (identity: unknown) => (identity as { readonly tenant?: string }).tenant },
  }),
  once,
);

/** Makes the tables in the schemas of two tenants, each with a card of the same key. */
const separated = async ({ orm }: Subject): Promise<void> => {
  const made = await orm.schema.getCreateSchemaSQL({ wrap: false });
  const connection = orm.em.getConnection();
  for (const schema of ['public', 'ta', 'tb'])
    await connection.executeDump(`
      begin;
      ${schema === 'public' ? '' : `drop schema if exists ${schema} cascade; create schema ${schema};`}
      set local search_path = ${schema};
      ${schema === 'public' ? '' : made}
      insert into card (title, tenant) values ('first of ${schema}', '${schema}');
      commit;`);
};

separate.contract('A stream has the records of its tenant, and hears of no other', async (subject) => {
  await separated(subject);
  const { request, url } = subject;
  const patch = (tenant: string, title: string) =>
    request().patch('/own-cards/1').set(of(tenant)).send({ title });
  const card = (title: string) => ({ data: { id: 1, title, state: 'open' } });
  const asked = ['ta', 'tb'].map((tenant) => ['/own-cards', of(tenant, { sub: 'ann' })] as const);
  await listening(subject, asked, async (one, other) => {
    await one.until(told);
    await other.until(told);
    expect([one.named('snapshot'), other.named('snapshot')]).toEqual(
      ['ta', 'tb'].map((tenant) => [{ data: [card(`first of ${tenant}`).data] }]),
    );
    expect((await request().patch('/all-cards/1').send({ title: 'of nobody' })).status).toBe(200);
    expect((await patch('ta', 'of ta')).status).toBe(200);
    await one.until(has('changed'));
    await patch('tb', 'of tb');
    await other.until(has('changed'));
    expect(one.events.slice(1)).toEqual([{ event: 'changed', data: card('of ta') }]);
    expect(other.events.slice(1)).toEqual([{ event: 'changed', data: card('of tb') }]);
    await patch('ta', 'of ta again');
    const again = (tenant: string) =>
      Listener.open(`${url}/own-cards`, { ...of(tenant, { sub: 'ann' }), 'Last-Event-ID': one.lastId });
    const [back, moved] = [await again('ta'), await again('tb')];
    try {
      await back.until(has('changed'));
      expect(back.events).toEqual([{ event: 'changed', data: card('of ta again') }]);
      // Whoever is in another schema by now begins anew.
      await moved.until(told);
      expect(moved.events).toEqual([
        { event: 'reset', data: {} },
        { event: 'snapshot', data: { data: [card('of tb').data] } },
      ]);
    } finally {
      back.close();
      moved.close();
    }
  });
});
