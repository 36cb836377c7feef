// The system gives no more memory: bodies that need it are unavailable, all others are served, and so are those after it.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { clientOf } from './support/client.mjs';
import { isUnavailable } from './support/figures.mjs';
import { exactly } from './support/limits.mjs';

/** How much more the service may take than it has, in bytes: room for its work, and not for what a large body needs. */
const room = 200 * 2 ** 20;

/** A body that needs more than there is, in bytes. */
const tooMuch = 2 ** 30;

export const drill = {
  forms: { short: { bodies: 2 }, full: { bodies: 20 } },
  limits: {
    otherAnswers: exactly(0),
    failedMeanwhile: exactly(0),
    failedAfterwards: exactly(0),
    ended: exactly(0),
  },

  /** @param bodies how many are sent that nobody has memory for, one after the other */
  async run(stage, { bodies }) {
    if (process.platform !== 'linux') return { skipped: 'prlimit is a command of Linux' };
    const postgres = await stage.postgres();
    const application = await stage.application({
      databaseUrl: postgres.url,
      root: { bodyLimit: Number.MAX_SAFE_INTEGER },
    });
    const client = clientOf(application.url, { connections: 4 });
    // Whatever is made at the first request is there before there is no more.
    const write = async (slug) => (await client.post('/notes', { text: 'short', slug })).status;
    await write('before');
    execFileSync('prlimit', [
      '--pid',
      String(application.pid),
      `--as=${addressSpaceOf(application.pid) + room}`,
    ]);
    const others = [];
    let [failedMeanwhile, failedAfterwards] = [0, 0];
    for (let number = 0; number < bodies; number += 1) {
      const answer = unread(application.url);
      await answer.sent(room / 4);
      if ((await write(`meanwhile ${String(number)}`)) !== 201) failedMeanwhile += 1;
      await answer.sent(tooMuch);
      const found = await answer.told;
      if (!isUnavailable(found)) others.push(found.error?.message ?? found.status);
      if ((await write(`after ${String(number)}`)) !== 201) failedAfterwards += 1;
    }
    client.close();
    const isThere = (await Promise.race([application.exited, 'there'])) === 'there';
    return {
      otherAnswers: others.length,
      ...(others.length > 0 && { others }),
      failedMeanwhile,
      failedAfterwards,
      ended: isThere ? 0 : 1,
    };
  },
};

/** The addresses that a process has taken, in bytes (proc(5), VmSize). */
function addressSpaceOf(pid) {
  const [, kilobytes] = /^VmSize:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  return Number(kilobytes) * 1024;
}

/** A request whose body is sent bit by bit, until an answer comes. */
function unread(url) {
  const chunk = Buffer.alloc(2 ** 20, ' ');
  const sending = request(new URL('/notes', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': tooMuch },
  });
  let isOver = false;
  const told = new Promise((resolve) => {
    sending.once('error', (error) => resolve({ error }));
    sending.once('response', async (response) => {
      const { statusCode: status, headers } = response;
      const parts = await response.toArray();
      resolve({ status, headers, body: JSON.parse(Buffer.concat(parts).toString()) });
    });
  }).finally(() => {
    isOver = true;
    sending.destroy();
  });
  let bytes = 0;
  return {
    told,
    /** Sends until so many bytes are out. */
    async sent(wanted) {
      while (bytes < wanted && !isOver) {
        bytes += chunk.length;
        if (!sending.write(chunk)) await Promise.race([once(sending, 'drain'), told]);
      }
    },
  };
}
