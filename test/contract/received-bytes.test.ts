import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectBody } from '../../libs/core/src/http/body.collector.js';

test('A body for which there is no memory fails alone', async () => {
  const failure = new RangeError('Array buffer allocation failed');
  const server = createServer((request, response) => {
    collectBody(
      request,
      { bytes: 1_048_576, depth: 64 },
      {
        collected: ({ kind }) => response.end(kind),
        failed: (cause) => response.writeHead(503).end(String(cause === failure)),
      },
      () => {
        throw failure;
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const large = await fetch(url, { method: 'POST', body: 'x'.repeat(500_000) });
  expect([large.status, await large.text()]).toEqual([503, 'true']);
  const small = await fetch(url, { method: 'POST', body: 'x' });
  expect([small.status, await small.text()]).toEqual([200, 'bytes']);
  server.close();
  server.closeAllConnections();
});
