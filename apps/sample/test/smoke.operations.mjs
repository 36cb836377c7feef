// What the service tells of itself, and how it stops.
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { stop } from './atlas.process.mjs';

export async function watchFigures({ url, step, call }) {
  await step('an answer has the id of its request', async () => {
    const { headers } = await call(`${url}/countries/FR`, 'GET', undefined, { 'x-request-id': 'smoke-1' });
    equal(headers.get('x-request-id'), 'smoke-1');
  });
  await step('/metrics has requests, durations, statements and fetched keys', async () => {
    const response = await fetch(`${url}/metrics`);
    equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    const text = await response.text();
    match(text, /^atlas_requests_total\{method="GET",route="\/countries\/:code",status="success"\} \d+$/m);
    match(text, /^atlas_requests_total\{method="any",route="none",status="client_error"\} \d+$/m);
    match(text, /^atlas_request_duration_seconds_bucket\{le="0.1",method="POST",route="\/trips"\} \d+$/m);
    match(text, /^atlas_jwks_fetches_total\{outcome="answered"\} \d+$/m);
    if (process.env.DATABASE_URL) match(text, /^atlas_pool_connections\{state="all"\} \d+$/m);
    const statements = Number(/^atlas_statements_total (\d+)$/m.exec(text)?.[1]);
    ok(statements > 50);
    return `${String(statements)} statements`;
  });
}

export async function stopInOrder({ url, service, step, call }) {
  await step('it stops on SIGTERM: /ready fails at once, requests are served, exit code 0', async () => {
    equal((await call(`${url}/ready`)).code, 200);
    const stopped = stop(service);
    let ready = await call(`${url}/ready`);
    for (let times = 0; ready.code === 200 && times < 50; times += 1) ready = await call(`${url}/ready`);
    deepStrictEqual([ready.code, ready.body.status], [500, 'failure']);
    const served = await call(`${url}/countries/FR`);
    deepStrictEqual([served.code, served.headers.get('connection')], [200, 'close']);
    await stopped;
  });
}
