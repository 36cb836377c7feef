// `kill -9` of the service while it creates records: whatever it said was created is there when it is back.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { repeatedly } from './support/figures.mjs';
import { atLeast, exactly } from './support/limits.mjs';

export const drill = {
  forms: { short: { kills: 2, load: 500 }, full: { kills: 20, load: 2000 } },
  limits: {
    acknowledgedWrites: atLeast(({ kills }) => 10 * kills),
    lostWrites: exactly(0),
    brokenWrites: exactly(0),
    sessionsLeft: exactly(0),
  },

  /** @param load how long it creates before each kill, in milliseconds */
  async run(stage, { kills, load }) {
    const postgres = await stage.postgres();
    const acknowledged = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const application = await stage.application({ databaseUrl: postgres.url });
      const client = clientOf(application.url);
      let isOver = false;
      const creating = repeatedly(
        32,
        () => isOver,
        async (caller) => {
          const answer = await client.post('/notes', {
            text: `kill ${String(kill)}, caller ${String(caller)}`,
          });
          if (answer.status === 201) acknowledged.push(answer.body.data.id);
        },
      );
      await sleep(load);
      await application.end();
      isOver = true;
      await creating;
      client.close();
    }
    const stored = new Set((await postgres.query('select id from note')).map(({ id }) => id));
    const [{ broken }] = await postgres.query('select count(*)::int as broken from note where text is null');
    const sessions = await postgres.query(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return {
      kills,
      acknowledgedWrites: acknowledged.length,
      lostWrites: acknowledged.filter((id) => !stored.has(id)).length,
      brokenWrites: broken,
      sessionsLeft: sessions.length,
    };
  },
};
