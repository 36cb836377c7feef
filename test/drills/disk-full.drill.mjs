// The disk of the database is full: writes are unavailable, reads are not, and writes go on as soon as there is room.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { isUnavailable } from './support/figures.mjs';
import { atLeast, exactly } from './support/limits.mjs';

/** What is left for the tables once the rest is taken, in bytes. */
const room = 8 * 2 ** 20;

export const drill = {
  forms: { short: { writes: 5 }, full: { writes: 200 } },
  limits: {
    writesBefore: atLeast(1),
    refusedWrites: atLeast(1),
    otherAnswers: exactly(0),
    failedReads: exactly(0),
    lostWrites: exactly(0),
    refusedButStored: exactly(0),
    failedAfterwards: exactly(0),
  },

  /** @param writes how many are tried on the full disk */
  async run(stage, { writes }) {
    const disk = mountSmallDisk(stage);
    if (typeof disk === 'string') return { skipped: disk };
    // Of its own the log of writes would take all the room, and without room for it PostgreSQL ends.
    const postgres = await stage.postgres();
    await postgres.query(`create tablespace small location '${disk.place}'`);
    await postgres.query('alter database postgres set default_tablespace = small');
    const application = await stage.application({ databaseUrl: postgres.url });
    const client = clientOf(application.url, { connections: 4 });
    const text = 'x'.repeat(9000);
    const acknowledged = [];
    const refused = [];
    const others = [];
    let failedReads = 0;
    const write = async (slug) => {
      // Letters that compress badly, so that a record takes its room.
      const answer = await client.post('/notes', { text: noise(text.length), slug });
      if (answer.status === 201) acknowledged.push(slug);
      else if (answer.status !== undefined && isUnavailable(answer)) refused.push(slug);
      else others.push(answer.error?.message ?? answer.body);
      return answer.status;
    };
    let number = 0;
    while ((await write(`before ${String(++number)}`)) === 201 && number < 20_000);
    for (let time = 0; time < writes; time += 1) {
      await write(`full ${String(time)}`);
      const read = await client.get('/notes/1');
      if (read.status !== 200) failedReads += 1;
    }
    disk.makeRoom();
    let failedAfterwards = 0;
    for (let time = 0; time < writes; time += 1)
      if ((await write(`after ${String(time)}`)) !== 201) failedAfterwards += 1;
    await sleep(0);
    client.close();
    const stored = new Set((await postgres.query('select slug from note')).map(({ slug }) => slug));
    return {
      writesBefore: number - 1,
      refusedWrites: refused.length,
      otherAnswers: others.length,
      ...(others.length > 0 && { others: others.slice(0, 3) }),
      failedReads,
      lostWrites: acknowledged.filter((slug) => !stored.has(slug)).length,
      refusedButStored: refused.filter((slug) => stored.has(slug)).length,
      failedAfterwards,
    };
  },
};

function noise(length) {
  let text = '';
  while (text.length < length) text += Math.random().toString(36).slice(2);
  return text.slice(0, length);
}

/** A disk in memory that is nearly full; or why there is none. */
function mountSmallDisk(stage) {
  const mount = mkdtempSync(join(tmpdir(), 'nest-endpoints-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', mount], { stdio: 'pipe' });
  } catch {
    rmSync(mount, { recursive: true });
    return 'this user may not mount a tmpfs';
  }
  stage.defer(() => {
    execFileSync('umount', ['-l', mount]);
    rmSync(mount, { recursive: true });
  });
  const place = join(mount, 'tables');
  mkdirSync(place);
  execFileSync('chown', ['postgres', place]);
  const { bavail, bsize } = statfsSync(mount);
  const ballast = join(mount, 'ballast');
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - room));
  return { place, makeRoom: () => rmSync(ballast) };
}
