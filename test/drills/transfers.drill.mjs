// Records flow in and out at constant memory, however many there are, and into the table at no less than half the speed of COPY.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { whole } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

const cities = new URL('applications/cities.mjs', import.meta.url);

const mebibyte = 1_048_576;

/** A process leaves garbage for as long as it has room for it: with little room, what it holds is what it needs. */
const narrow = ['--max-old-space-size=128', '--max-semi-space-size=8'];

/** How often memory is looked at, in milliseconds. */
const period = 100;

export const drill = {
  forms: {
    short: { records: 200_000, longRecords: 180_000, length: 1000, warm: 60_000 },
    full: { records: 1_000_000, longRecords: 1_000_000, length: 1060, warm: 100_000 },
  },
  limits: {
    imported: exactly(1),
    exported: exactly(1),
    same: exactly(1),
    /** Above what the service holds once it has worked for a while. In MiB. */
    growsByImport: atMost(50),
    growsByExport: atMost(50),
    growsByLongImport: atMost(50),
    shareOfCopy: atLeast(({ records }) => (records < 1_000_000 ? 0.2 : 0.5)),
  },

  /** @param length of the notes in the long import, in characters: its body is longer than memory may be */
  async run(stage, { records, longRecords, length, warm }) {
    const postgres = await stage.postgres({ fsync: 'off', max_wal_size: '4GB' });
    const quick = await stage.application({ entry: cities, databaseUrl: postgres.url });
    await postgres.query(`insert into country values ('FR', 'France'), ('DE', 'Germany')`);
    for (let time = 0; time < 2; time += 1) await imported(quick.url, '/cities/import', lines(warm, ''));
    await postgres.query('truncate city restart identity');
    const { took: copied } = await copy(postgres, records);
    await postgres.query('truncate city restart identity');
    const { took } = await imported(quick.url, '/cities/import', lines(records, ''));
    await postgres.query('truncate city restart identity');

    const application = await stage.application({ entry: cities, databaseUrl: postgres.url, flags: narrow });
    const send = (path, count, note) => imported(application.url, path, lines(count, note));
    // Whatever a process takes once, it has by now.
    await send('/cities/chunks', warm, 'x'.repeat(length));
    await send('/cities/import', warm, '');
    await send('/cities/import', warm, '');
    await exported(application.url);
    await postgres.query('truncate city restart identity');
    const watched = memoryOf(application.pid);
    const first = await send('/cities/import', records, '');
    const growsByImport = watched.end();
    const watchedExport = memoryOf(application.pid);
    const out = await exported(application.url);
    const growsByExport = watchedExport.end();
    await postgres.query('truncate city restart identity');
    const watchedLong = memoryOf(application.pid);
    const long = await send('/cities/chunks', longRecords, 'x'.repeat(length));
    const growsByLongImport = watchedLong.end();
    return {
      records,
      imported: first.created === records && long.created === longRecords ? 1 : 0,
      exported: out.lines === records + 1 ? 1 : 0,
      same: out.bytes === first.bytes ? 1 : 0,
      copySeconds: whole(copied / 100) / 10,
      importSeconds: whole(took / 100) / 10,
      exportSeconds: whole(out.took / 100) / 10,
      longImportSeconds: whole(long.took / 100) / 10,
      longImportMebibytes: whole(long.bytes / mebibyte),
      shareOfCopy: Math.round((copied / took) * 100) / 100,
      growsByImport,
      growsByExport,
      growsByLongImport,
    };
  },
};

/** A table of cities, in pieces. */
function* lines(count, note) {
  yield 'name,population,note,country_code\r\n';
  for (let done = 0; done < count; done += 500) {
    let piece = '';
    for (let index = done; index < Math.min(count, done + 500); index += 1)
      piece += `A city of the world ${index},${index},${note},${index % 2 === 0 ? 'FR' : 'DE'}\r\n`;
    yield piece;
  }
}

async function imported(url, path, text) {
  const begun = performance.now();
  let bytes = 0;
  const counted = function* () {
    for (const piece of text) {
      bytes += piece.length;
      yield piece;
    }
  };
  const sent = request(new URL(path, url), { method: 'POST', headers: { 'content-type': 'text/csv' } });
  const answered = new Promise((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  await Promise.all([pipeline(Readable.from(counted()), sent), answered]);
  let answer = '';
  for await (const chunk of await answered) answer = (answer + chunk).slice(-2000);
  const last = JSON.parse(answer.trim().split('\n').at(-1));
  if (last.status !== 'success') throw new Error(answer);
  return { created: last.data.created, bytes, took: performance.now() - begun };
}

function exported(url) {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    request(new URL('/cities/export?format=csv', url), (answer) => {
      let bytes = 0;
      let count = 0;
      answer
        .on('data', (chunk) => {
          bytes += chunk.length;
          for (const byte of chunk) if (byte === 10) count += 1;
        })
        .once('error', reject)
        .once('end', () => resolve({ bytes, lines: count, took: performance.now() - begun }));
    })
      .once('error', reject)
      .end();
  });
}

/** The time that COPY takes for the same records: into a table without constraints, and from there into this one. */
async function copy(postgres, records) {
  const client = await postgres.connect();
  try {
    const { rows } = await client.query('show data_directory');
    const file = `${rows[0].data_directory}/cities.csv`;
    const columns = 'name, population, note, country_code';
    await client.query(
      `copy (select 'A city of the world ' || n, n, null, case when n % 2 = 0 then 'FR' else 'DE' end
       from generate_series(0, ${records - 1}) n) to '${file}' (format csv)`,
    );
    const begun = performance.now();
    await client.query('begin');
    await client.query(
      'create temporary table staged (name text, population integer, note text, country_code text)',
    );
    await client.query(`copy staged (${columns}) from '${file}' (format csv)`);
    await client.query(`insert into city (${columns}) select ${columns} from staged`);
    await client.query('commit');
    return { took: performance.now() - begun };
  } finally {
    await client.end();
  }
}

/** Watches what a process holds. `end` tells by how much it grew above what it held at the beginning, in MiB. */
function memoryOf(pid) {
  const held = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  const first = held();
  let most = first;
  const timer = setInterval(() => (most = Math.max(most, held())), period);
  return {
    end() {
      clearInterval(timer);
      return whole(Math.max(most, held()) - first);
    },
  };
}
