// SIGTERM while 256 connections are busy: whoever sent a request before the end gets its answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:net';
import { clientOf } from './support/client.mjs';
import { isLost } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

export const drill = {
  databases: ['postgresql', 'mariadb'],
  /** Its limits are times that whatever runs beside it would spoil. */
  isAlone: true,
  forms: { short: { stops: 2, connections: 256 }, full: { stops: 10, connections: 256 } },
  limits: {
    // Every connection, before each stop.
    answered: atLeast(({ stops, connections }) => stops * connections),
    lost: exactly(0),
    notClosedAfterTheSignal: exactly(0),
    readyAfterTheSignal: exactly(0),
    exitCode: exactly(0),
    milliseconds: atMost(10_000),
  },

  async run(stage, { stops, connections }) {
    const database = await stage.database();
    const sums = { answered: 0, lost: 0, notClosedAfterTheSignal: 0, readyAfterTheSignal: 0, exitCode: 0 };
    let milliseconds = 0;
    const reasons = new Set();
    for (let stop = 0; stop < stops; stop += 1) {
      const platform = stop % 2 === 0 ? 'fastify' : 'express';
      const application = await stage.application({ databaseUrl: database.url, platform });
      const client = clientOf(application.url, { connections });
      await client.post('/notes', { text: 'a' });
      const idle = Array.from({ length: 16 }, () => idleConnection(application.url));
      let isOver = false;
      let signalled = Infinity;
      const calling = Array.from({ length: connections }, async (_, caller) => {
        while (!isOver) {
          const sent = performance.now();
          const answer = await (caller % 4 === 0
            ? client.post('/notes', { text: 'b' })
            : client.get('/notes/1'));
          if (isLost(answer)) {
            sums.lost += 1;
            reasons.add(String(answer.error));
          } else if (answer.error !== undefined) return;
          else {
            sums.answered += 1;
            if (sent > signalled + 50 && answer.headers.connection !== 'close')
              sums.notClosedAfterTheSignal += 1;
          }
        }
      });
      await sleep(500);
      application.kill('SIGTERM');
      signalled = performance.now();
      await sleep(100);
      const ready = await clientOf(application.url).get('/ready');
      if (ready.status !== 500) sums.readyAfterTheSignal += 1;
      const { code } = await application.exited;
      milliseconds = Math.max(milliseconds, performance.now() - signalled);
      isOver = true;
      await Promise.all(calling);
      client.close();
      for (const socket of idle) socket.destroy();
      if (code !== 0) sums.exitCode = code ?? -1;
    }
    return {
      stops,
      connections,
      ...sums,
      milliseconds: Math.round(milliseconds),
      ...(reasons.size > 0 && { reasons: [...reasons] }),
    };
  },
};

/** A connection that has served a request, and waits for nothing. */
function idleConnection(url) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  socket.write('GET /health HTTP/1.1\r\nHost: drill\r\n\r\n');
  return socket;
}
