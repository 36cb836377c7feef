// A thousand creates with a hundred keys, in no order, over two instances: clients that hear nothing and try again.
import { twoInstances } from './support/instances.mjs';
import { largest, whole } from './support/figures.mjs';
import { atLeast, exactly } from './support/limits.mjs';
import { reasonAgainstPgBouncer } from './support/pgbouncer.mjs';

export const drill = {
  forms: { short: { keys: 50, retries: 10 }, full: { keys: 100, retries: 10 } },
  limits: {
    recordsTooMany: exactly(0),
    recordsTooFew: exactly(0),
    differentAnswers: exactly(0),
    otherAnswers: exactly(0),
    conflicts: exactly(0),
    replayed: atLeast(1),
    wrongBodiesTaken: exactly(0),
  },

  /** @param retries how often each key is sent */
  async run(stage, { keys, retries }) {
    if (reasonAgainstPgBouncer !== undefined) return { skipped: reasonAgainstPgBouncer };
    const { postgres, clients } = await twoInstances(stage);
    const send = (key, instance, amount = key) =>
      clients[instance % 2].post(
        '/orders',
        { item: `key ${String(key)}`, amount },
        { 'idempotency-key': `key-${String(key)}` },
      );
    // All keys once, then all again: those of one key are far apart, and on both instances, and all are under way at once.
    const sent = Array.from({ length: keys * retries }, (_, index) => ({
      key: index % keys,
      instance: Math.floor(index / keys) + index,
    }));
    const answers = await Promise.all(sent.map(({ key, instance }) => send(key, instance)));
    const bodies = new Map();
    const figures = { differentAnswers: 0, otherAnswers: 0, conflicts: 0, replayed: 0 };
    for (const [index, { status, headers, body }] of answers.entries()) {
      if (status === 409) figures.conflicts += 1;
      else if (status !== 201) figures.otherAnswers += 1;
      else {
        const text = JSON.stringify(body);
        const first = bodies.get(sent[index].key) ?? text;
        bodies.set(sent[index].key, first);
        if (first !== text) figures.differentAnswers += 1;
        if (headers['idempotency-replayed'] === 'true') figures.replayed += 1;
      }
    }
    const wrong = await Promise.all(Array.from({ length: keys }, (_, key) => send(key, key, key + 1)));
    const [{ records, kinds }] = await postgres.query(
      'select count(*)::int as records, count(distinct item)::int as kinds from orders',
    );
    return {
      requests: answers.length,
      keys,
      records,
      recordsTooMany: records - kinds,
      recordsTooFew: keys - kinds,
      ...figures,
      wrongBodiesTaken: wrong.filter(({ status }) => status !== 409).length,
      slowestMs: whole(largest(answers.map(({ took }) => took))),
      ...(figures.otherAnswers > 0 && {
        examples: answers
          .filter(({ status }) => status !== 201 && status !== 409)
          .slice(0, 3)
          .map(({ error, body }) => error?.message ?? body),
      }),
    };
  },
};
