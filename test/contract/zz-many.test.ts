import { expect } from '@jest/globals';
import { service } from '../support/contract.js';
import { imported, send, transfers } from './import.rows.js';

const { contract } = service({ entities: imported, endpoints: transfers() });
const mb = () => Math.round(process.memoryUsage().rss / 1e6);
contract('commas', async (subject) => {
  for (const [what, body] of [
    ['6M commas', 'id,name\n1,a\n' + ','.repeat(6_000_000) + '\n'],
    ['5M of x', 'id,name\n1,a\n2,' + 'x'.repeat(5_000_000) + '\n'],
    ['1M blank lines', 'id,name\n1,a\n' + '\n'.repeat(1_000_000) + '\n'],
    ['ndjson-like', 'id,name\n1,a\n2,"a""b"\n3,\n'],
  ] as const) {
    const t = Date.now(), before = mb();
    let lag = 0, last = Date.now(); const timer = setInterval(() => { lag = Math.max(lag, Date.now() - last); last = Date.now(); }, 5);
    const answer = await send(subject, '/towns/import', body);
    clearInterval(timer);
    const text = String(answer.body).split('\n').filter((l) => !l.includes('progress')).join(' | ').slice(0, 300);
    console.log(what, answer.status, text, Date.now() - t, 'ms; lag', lag, 'rss', before, mb());
  }
  expect(1).toBe(1);
});
