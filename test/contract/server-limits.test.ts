import { expect } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { HealthCheck, recommendedOptions, setServerLimits } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { everyPlatform, service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';

const limits = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };

const { contract } = service(
  {
    ...libraryWith([new HealthCheck({ url: 'health' }), books()]),
    root: { maximumJsonDepth: 3 },
    configure: (app) => setServerLimits(app, limits),
  },
  everyPlatform,
);

/** What comes back to a client that begins a request and does not end it. */
const begun = async (url: string, text: string): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write(text);
  await once(socket, 'close');
  return answer;
};

const timedOut = `"status":"client_error","error":"Request Timeout"`;

contract('A client that does not end the head of its request gets a 408', async ({ url }) => {
  const answer = await begun(url, 'GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain(timedOut);
});

contract('A client that does not end its body gets a 408', async ({ url }) => {
  const head =
    'POST /books HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';
  const answer = await begun(url, `${head}{"title":`);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain(timedOut);
});

contract('A body may be nested as deeply as maximumJsonDepth says', async ({ request }) => {
  const refused = await request()
    .post('/books')
    .send({ title: [[['x']]] });
  expectAnswer(refused, 400, clientError('The request body must not be nested deeper than 3 levels'));
  const judged = await request()
    .post('/books')
    .send({ title: [['x']] });
  expect(judged.body.input_errors).toEqual({ title: 'value should be a string' });
});

contract('Limits of the server and of the database are whole milliseconds', ({ app }) => {
  expect(() => setServerLimits(app, { headersTimeout: 0 })).toThrow(
    'setServerLimits: headersTimeout: 0 is not allowed',
  );
  expect(() => setServerLimits(app, { headersTimeout: 5, requestTimeout: 4 })).toThrow(
    'requestTimeout: 4 is below',
  );
  expect(() => recommendedOptions({ lockTimeout: 1.5 })).toThrow(
    'recommendedOptions: lockTimeout: 1.5 is not allowed',
  );
});
