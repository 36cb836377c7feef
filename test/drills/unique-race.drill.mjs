// Thousands of clients create the same unique value at once: one succeeds, the others get the documented message.
import { clientOf } from './support/client.mjs';
import { largest, whole } from './support/figures.mjs';
import { exactly } from './support/limits.mjs';

const message = "Invalid value for 'slug': the given value already exists, and must be unique.";

/** In milliseconds. */
const patience = 300_000;

export const drill = {
  databases: ['postgresql', 'mariadb'],
  // Every request is a connection of its own, as far as the machine has file descriptors.
  forms: { short: { creates: 1000, connections: 500 }, full: { creates: 10_000, connections: 9500 } },
  limits: { unexplained: exactly(0), created: exactly(1), stored: exactly(1) },

  async run(stage, { creates, connections }) {
    const database = await stage.database();
    // All of them are to be judged, however long that takes: what overload answers is another drill's.
    const application = await stage.application({
      databaseUrl: database.url,
      limits: { poolWait: patience, statementTimeout: patience, lockTimeout: patience },
      root: { timeout: patience },
    });
    const client = clientOf(application.url, { connections, patience });
    const begun = performance.now();
    const answers = await Promise.all(
      Array.from({ length: creates }, () => client.post('/notes', { text: 'the same', slug: 'same' })),
    );
    const took = performance.now() - begun;
    client.close();
    const refused = answers.filter(
      ({ status, body }) =>
        status === 400 && body.status === 'input_errors' && body.input_errors.slug === message,
    );
    const created = answers.filter(({ status }) => status === 201);
    const rest = answers.filter((answer) => !refused.includes(answer) && !created.includes(answer));
    const stored = (await database.query('select id from note')).length;
    return {
      creates,
      connections,
      created: created.length,
      documentedMessages: refused.length,
      unexplained: rest.length,
      ...(rest.length > 0 && { rest: rest.slice(0, 3).map(({ error, body }) => error?.message ?? body) }),
      stored,
      slowestMs: whole(largest(answers.map((answer) => answer.took))),
      seconds: Math.round(took / 100) / 10,
    };
  },
};
