// A hundred clients change one record at once, and all of them have seen the same version of it: one may.
import { twoInstances } from './support/instances.mjs';
import { atLeast, exactly } from './support/limits.mjs';
import { reasonAgainstPgBouncer } from './support/pgbouncer.mjs';

export const drill = {
  forms: { short: { rounds: 3, clients: 100 }, full: { rounds: 20, clients: 100 } },
  limits: {
    roundsWithOneWinner: atLeast(1),
    roundsWithAnother: exactly(0),
    otherAnswers: exactly(0),
    storedByAnother: exactly(0),
    versionsAhead: exactly(0),
  },

  async run(stage, { rounds, clients: many }) {
    if (reasonAgainstPgBouncer !== undefined) return { skipped: reasonAgainstPgBouncer };
    const { postgres, clients } = await twoInstances(stage, { connections: many });
    const figures = {
      roundsWithOneWinner: 0,
      roundsWithAnother: 0,
      otherAnswers: 0,
      storedByAnother: 0,
      versionsAhead: 0,
    };
    const created = await clients[0].post('/orders', { item: 'tea', amount: 0 });
    const path = `/orders/${String(created.body.data.id)}`;
    for (let round = 0; round < rounds; round += 1) {
      const { etag } = (await clients[round % 2].get(path)).headers;
      const answers = await Promise.all(
        Array.from({ length: many }, (_, index) =>
          clients[index % 2].send('PATCH', path, { amount: round * many + index + 1 }, { 'if-match': etag }),
        ),
      );
      const winners = answers.flatMap(({ status }, index) =>
        status === 200 ? [round * many + index + 1] : [],
      );
      figures[winners.length === 1 ? 'roundsWithOneWinner' : 'roundsWithAnother'] += 1;
      figures.otherAnswers += answers.filter(({ status }) => status !== 200 && status !== 412).length;
      const [{ amount, version }] = await postgres.query('select amount, version from orders');
      if (!winners.includes(amount)) figures.storedByAnother += 1;
      figures.versionsAhead += version - (round + 2);
    }
    return { rounds, clients: many, ...figures };
  },
};
