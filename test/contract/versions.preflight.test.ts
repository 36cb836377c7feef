import { expect } from '@jest/globals';
import { VersioningType, type VersioningOptions } from '@nestjs/common';
import { Callable, Cors, EndpointGroup, List } from '@nest-endpoints/core';
import { everyPlatform, service } from '../support/contract.js';
import { Book, library } from '../support/entities/library.js';

const from = (origin: string) => ({ securityHeaders: [new Cors(`https://${origin}.example`)] });

const versioned = (versioning: VersioningOptions, prefix = '') =>
  service(
    {
      entities: library,
      configure: (app) => {
        app.enableVersioning(versioning);
        if (prefix !== '') app.setGlobalPrefix(prefix);
      },
      endpoints: [
        new Callable({ url: 'one', version: '1', toCall: () => 1, ...from('first') }),
        new Callable({ url: 'one', version: '2', toCall: () => 2, ...from('second') }),
        new Callable({ url: 'some', version: ['1', '2'], toCall: () => 1, ...from('both') }),
        new Callable({ url: 'bare', version: '1', toCall: () => 1 }),
        new EndpointGroup({
          url: 'group',
          endpoints: [
            new List({
              url: 'books/:author',
              version: '2',
              modelClass: Book,
              readableColumnNames: ['title'],
              sortableColumnNames: ['title'],
              defaultSortColumnName: 'title',
              ...from('books'),
            }),
          ],
        }),
      ],
    },
    everyPlatform,
  ).contract;

/** The status of a preflight, and the origin that it allows. */
type Preflights = Readonly<Record<string, readonly [status: number, origin?: string]>>;

const uri: Preflights = {
  '/v1/one': [200, 'first'],
  '/v2/one': [200, 'second'],
  '/v1/some': [200, 'both'],
  '/v2/some': [200, 'both'],
  '/v2/group/books/ann': [200, 'books'],
  '/v1/bare': [404],
  '/v3/one': [404],
  '/v1/group/books/ann': [404],
};

for (const [name, versioning, prefix, expected] of [
  ['in paths', { type: VersioningType.URI }, '', { ...uri, '/one': [404] }],
  [
    'in paths below a prefix',
    { type: VersioningType.URI },
    'api',
    Object.fromEntries(Object.entries(uri).map(([path, told]) => [`/api${path}`, told])),
  ],
  ['in paths, with a usual one', { type: VersioningType.URI, defaultVersion: '1' }, '', uri],
  [
    'in a header',
    { type: VersioningType.HEADER, header: 'X-Version' },
    '',
    { '/one': [200, 'first'], '/some': [200, 'both'], '/bare': [404], '/group/books/ann': [200, 'books'] },
  ],
] as const satisfies readonly (readonly [string, VersioningOptions, string, Preflights])[])
  versioned(versioning, prefix)(`Browsers may ask first where versions are ${name}`, async ({ request }) => {
    const told: Record<string, unknown> = {};
    for (const path of Object.keys(expected)) {
      const { status, headers } = await request().options(path).set('Origin', 'https://first.example');
      const origin = /^https:\/\/(\w+)\.example$/.exec(String(headers['access-control-allow-origin']))?.[1];
      told[path] = origin === undefined ? [status] : [status, origin];
    }
    expect(told).toEqual(expected);
  });
