import { expect, test } from '@jest/globals';
import { SecretBearer, type SecretBearerOptions } from '@nest-endpoints/auth';
import { ConfigurationError, Cors, List } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { everyPlatform, service } from '../support/contract.js';
import { credentials, statusOf } from '../support/credentials.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const environment = { MAIN: 's3cret', NEXT: 'n3xt', EMPTY: '', SPACED: 'a secret\n', UNICODE: 'schlüssel' };
const secretBearer = (options: Partial<SecretBearerOptions> = {}) =>
  new SecretBearer({ environmentKey: 'MAIN', environment, ...options });

const listed = {
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

const { contract } = service(
  libraryWith([
    new List({
      ...listed,
      url: 'books',
      authentication: secretBearer({ alternateEnvironmentKey: 'NEXT' }),
      securityHeaders: [new Cors('*')],
    }),
    new List({ ...listed, url: 'prefixed', authentication: secretBearer({ headerPrefix: 'ApiKey ' }) }),
  ]),
  everyPlatform,
);

contract(
  'SecretBearer lets a request in that sends the secret of its environment',
  async ({ request, log }) => {
    const ask = (header: string) => request().get('/books').set('Authorization', header);
    expect((await ask('Bearer s3cret')).status).toBe(200);
    for (const header of [
      'Bearer s3cre',
      'Bearer s3crets',
      'Bearer S3CRET',
      'Bearer ',
      'Bearer',
      's3cret',
      'Basic s3cret',
    ])
      expectAnswer(await ask(header), 401, clientError('Not Authenticated'));
    const refused = await request().get('/books');
    expectAnswer(refused, 401, clientError('Not Authenticated'));
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    for (const secret of ['s3cre', 'S3CRET', 's3cret']) expect(log.text()).not.toContain(secret);
  },
);

contract('SecretBearer takes the alternate secret too', async ({ request }) => {
  expect((await request().get('/books').set('Authorization', 'Bearer n3xt')).status).toBe(200);
});

contract('SecretBearer ignores the letter case of its header prefix', async ({ request }) => {
  const statuses = [];
  for (const header of ['bearer s3cret', 'BEARER s3cret', 'ApiKey s3cret', 'APIKEY s3cret', 'apikeys3cret'])
    for (const path of ['/books', '/prefixed'])
      statuses.push((await request().get(path).set('Authorization', header)).status);
  expect(statuses).toEqual([200, 401, 200, 401, 401, 200, 401, 200, 401, 401]);
});

contract('SecretBearer adds Authorization to ACCESS-CONTROL-ALLOW-HEADERS', async ({ request }) => {
  const { headers } = await request().options('/books');
  expect(headers['access-control-allow-headers']).toBe('Authorization');
});

test('A secret of SecretBearer that is unset or empty stops the start', () => {
  const wrong: Partial<SecretBearerOptions>[] = [
    { environmentKey: 'UNSET' },
    { environmentKey: 'EMPTY' },
    { environmentKey: 'SPACED' },
    { environmentKey: 'toString' },
    { environmentKey: '' },
    { alternateEnvironmentKey: 'UNSET' },
    { alternateEnvironmentKey: 'EMPTY' },
    { alternateEnvironmentKey: '' },
    { environment: {} },
  ];
  for (const options of wrong) {
    expect(() => secretBearer(options)).toThrow(ConfigurationError);
    expect(() => secretBearer(options)).toThrow(/^SecretBearer: (alternateE|e)nvironmentKey: /);
  }
  expect(() => secretBearer({ environmentKey: 'SPACED' })).not.toThrow(/a secret/);
});

test('SecretBearer reads the environment of the process', async () => {
  process.env['SECRET_BEARER_TEST'] = 'of the process';
  const authentication = new SecretBearer({ environmentKey: 'SECRET_BEARER_TEST' });
  delete process.env['SECRET_BEARER_TEST'];
  expect(await statusOf(authentication, credentials('Bearer of the process'))).toBe(200);
});

test('A secret beyond ASCII is compared as the bytes that clients send', async () => {
  const sent = Buffer.from('Bearer schlüssel', 'utf8').toString('latin1');
  const authentication = secretBearer({ environmentKey: 'UNICODE' });
  expect(await statusOf(authentication, credentials(sent))).toBe(200);
  expect(await statusOf(authentication, credentials('Bearer schlüssel'))).toBe(401);
});

test('SecretBearer names its scheme for the documentation', () => {
  expect(secretBearer().securityScheme).toEqual({
    name: 'secret',
    scheme: { type: 'http', scheme: 'bearer' },
  });
  expect(secretBearer({ headerPrefix: 'ApiKey ', documentationSecurityName: 'key' }).securityScheme).toEqual({
    name: 'key',
    scheme: { type: 'apiKey', in: 'header', name: 'Authorization' },
  });
});
