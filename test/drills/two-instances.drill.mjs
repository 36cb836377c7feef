// Two instances behind PgBouncer, and `kill -9` of one of them, in turns, under writes: its clients lose their
// connections and nothing else, and those of the other do not notice.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { repeatedly } from './support/figures.mjs';
import { atLeast, exactly } from './support/limits.mjs';
import { reasonAgainstPgBouncer } from './support/pgbouncer.mjs';

/** What a client sees of a process that is gone. */
const gone = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

export const drill = {
  forms: { short: { kills: 2, load: 700, callers: 16 }, full: { kills: 20, load: 2000, callers: 32 } },
  limits: {
    acknowledgedWrites: atLeast(({ kills }) => 10 * kills),
    writesWhileOneWasDead: atLeast(({ kills }) => kills),
    lostWrites: exactly(0),
    brokenWrites: exactly(0),
    otherErrors: exactly(0),
    errorsOfTheOther: exactly(0),
    transactionsLeft: exactly(0),
  },

  /** @param load how long both create before each kill, and one afterwards, in milliseconds */
  async run(stage, { kills, load, callers }) {
    if (reasonAgainstPgBouncer !== undefined) return { skipped: reasonAgainstPgBouncer };
    const postgres = await stage.postgres();
    const pooler = await stage.pgbouncer(postgres, { default_pool_size: 8 });
    const begin = async () => {
      const application = await stage.application({
        databaseUrl: pooler.url,
        limits: { pooler: 'transaction' },
      });
      return { application, client: clientOf(application.url), isDead: false };
    };
    // The first one makes the table.
    const instances = [await begin(), await begin()];
    const acknowledged = [];
    const figures = { writesWhileOneWasDead: 0, lostConnections: 0, otherErrors: 0, errorsOfTheOther: 0 };
    const examples = [];
    let isOver = false;
    const creating = repeatedly(
      callers,
      () => isOver,
      async (caller) => {
        // As a balancer does that does not know yet.
        const instance = instances[caller % 2];
        const answer = await instance.client.post('/notes', { text: `caller ${String(caller)}` });
        if (answer.status === 201) {
          acknowledged.push(answer.body.data.id);
          if (instances.some(({ isDead }) => isDead)) figures.writesWhileOneWasDead += 1;
        } else if (gone.has(answer.error?.code)) {
          figures[instance.isDead ? 'lostConnections' : 'errorsOfTheOther'] += 1;
          await sleep(20);
        } else {
          figures.otherErrors += 1;
          examples.push(answer.error?.message ?? answer.body);
        }
      },
    );
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(load);
      const instance = instances[kill % 2];
      instance.isDead = true;
      await instance.application.end();
      await sleep(load);
      instance.client.close();
      instances[kill % 2] = await begin();
    }
    await sleep(load);
    isOver = true;
    await creating;
    for (const { client } of instances) client.close();
    const stored = new Set((await postgres.query('select id from note')).map(({ id }) => id));
    const [{ broken }] = await postgres.query('select count(*)::int as broken from note where text is null');
    const left = await postgres.query(
      "select pid from pg_stat_activity where backend_type = 'client backend' and state like 'idle in transaction%'",
    );
    return {
      kills,
      acknowledgedWrites: acknowledged.length,
      lostWrites: acknowledged.filter((id) => !stored.has(id)).length,
      brokenWrites: broken,
      ...figures,
      transactionsLeft: left.length,
      ...(examples.length > 0 && { examples: examples.slice(0, 3) }),
    };
  },
};
