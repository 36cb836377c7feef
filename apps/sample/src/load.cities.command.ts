import { parseArgs } from 'node:util';
import { readCities } from './database/atlas.source.js';
import { LoadingProgress } from './database/loading.progress.js';

const usage =
  'Usage: BULK_SECRET=… npm run cities:load -- [--url http://127.0.0.1:3000] [--chunk 2000] [--count 135233]';

/** How many requests are on their way at a time. */
const atOnce = 2;

/** Creates the cities of the data package once more, through `/cities/bulk` of a service that runs. */
async function loadCities(url: string, secret: string, chunk: number, count: number): Promise<number> {
  const cities = readCities().slice(0, count);
  const progress = new LoadingProgress(cities.length);
  let start = 0;
  const send = async (): Promise<void> => {
    while (start < cities.length) {
      const some = cities.slice(start, (start += chunk));
      const records = some.map(({ name, population, latitude, longitude, country }) => ({
        name,
        population,
        latitude,
        longitude,
        country_code: country,
      }));
      await post(url, secret, { records });
      progress.advance(some.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  progress.finish();
  return cities.length;
}

async function post(url: string, secret: string, body: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` };
  const answer = await fetch(`${url}/cities/bulk`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${String(answer.status)} ${text.slice(0, 1000)}`);
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(usage);
}

try {
  const options = {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    chunk: { type: 'string', default: '2000' },
    count: { type: 'string', default: '135233' },
  } as const;
  const { values } = parseArgs({ options });
  const secret = process.env['BULK_SECRET'] ?? '';
  if (secret === '') throw new Error(usage);
  const began = performance.now();
  const loaded = await loadCities(values.url, secret, countOf(values.chunk), countOf(values.count));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${String(loaded)} cities in ${seconds} s\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
