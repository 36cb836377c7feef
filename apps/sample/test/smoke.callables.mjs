// The functions of the sample: cities around a point, the export, health.
import { deepStrictEqual, equal, ok } from 'node:assert/strict';

export async function callFunctions({ url, step, call }) {
  const near = `${url}/cities/near`;
  await step('the process is healthy and its database ready', async () => {
    for (const path of ['health', 'ready']) {
      const { code, body } = await call(`${url}/${path}`);
      deepStrictEqual([code, body.status, body.data], [200, 'success', {}]);
    }
  });
  await step('the cities around Nice, the nearest first', async () => {
    const { data } = (await call(`${near}/43.7/7.26?distance=20&limit=5`)).body;
    equal(data[0].name, 'Nice');
    equal(data.length, 5);
    ok(data.every(({ distance }, index) => distance <= 20 && distance >= (data[index - 1]?.distance ?? 0)));
    return data.map(({ name, distance }) => `${name} ${String(distance)} km`).join(', ');
  });
  await step('a circle goes on behind the 180th meridian', async () => {
    const { data } = (await call(`${near}/-16.8/-179.99?distance=100`)).body;
    ok(data.some(({ longitude }) => longitude > 179));
  });
  await step('a point that is none, and odd parameters, are refused', async () => {
    const { code, body } = await call(`${near}/91/east?distance=0&limit=1.5`);
    equal(code, 400);
    deepStrictEqual(body.input_errors, {
      latitude: 'value should be between -90 and 90',
      longitude: 'value should be a number',
      distance: 'value should be between 0.1 and 500',
      limit: 'value should be an integer',
    });
    const unknown = await call(`${near}/43.7/7.26?radius=5`);
    deepStrictEqual([unknown.code, unknown.body.error], [400, 'Unrecognized key: "radius"']);
  });
  await step('the export has every city once, a line each', async () => {
    const started = performance.now();
    const response = await fetch(`${url}/export/cities`);
    const begun = performance.now() - started;
    equal(response.headers.get('content-type'), 'application/x-ndjson');
    const ids = new Set();
    let count = 0;
    for await (const line of linesOf(response.body)) {
      ids.add(JSON.parse(line).id);
      count += 1;
    }
    deepStrictEqual([count, ids.size], [135_233, 135_233]);
    return `begun after ${begun.toFixed(0)} ms`;
  });
  await step('a client that leaves the export does not disturb the next', async () => {
    const leaving = new AbortController();
    const { body } = await fetch(`${url}/export/cities`, { signal: leaving.signal });
    await body.getReader().read();
    leaving.abort();
    equal((await call(`${url}/ready`)).code, 200);
  });
}

async function* linesOf(stream) {
  let rest = '';
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  equal(rest, '', 'the last line ends');
}
