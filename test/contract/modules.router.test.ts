import { expect } from '@jest/globals';
import { VersioningType } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { EndpointGroup, EndpointsModule, Hsts, List } from '@nest-endpoints/core';
import { expectAnswer, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

/** Which module answered, as its response header says. */
const by = (name: string) => ({ responseHeaders: [`X-By: ${name}`] });

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;
const list = (url: string, name: string) => new List({ ...listed, url, ...by(name) });

const prefixedFeature = EndpointsModule.forFeature([
  books({ securityHeaders: [new Hsts()] }),
  new EndpointGroup({ url: 'titled', externalCasing: 'TitleCase', endpoints: [list('list', 'x')] }),
]);

const prefixed = service(
  libraryWith([list('list', 'plain')], {
    imports: [
      prefixedFeature,
      EndpointsModule.forFeature([list('other', 'other')]),
      RouterModule.register([{ path: 'shop/floor', module: prefixedFeature.module }]),
    ],
  }),
).contract;

prefixed('RouterModule gives the endpoints of a forFeature module a prefix', async ({ request }) => {
  const created = await request().post('/shop/floor/books').send({ title: 'Emma' });
  const found = await request().get(`/shop/floor/books/${created.body.data.id}`);
  expect([created.status, found.body.data.title]).toEqual([201, 'Emma']);
});

prefixed('With RouterModule nothing answers without the prefix', async ({ request }) => {
  expectAnswer(await request().get('/books'), 404, notFound);
});

prefixed('RouterModule leaves other forFeature modules alone', async ({ request }) => {
  const { headers } = await request().get('/list');
  expect(headers['x-by']).toBe('plain');
});

prefixed('Below the prefix of RouterModule the rules of paths hold', async ({ raw }) => {
  const statuses = [
    (await raw('GET', '//shop//floor/books///')).status,
    (await raw('GET', '/shop/%66loor/books')).status,
    (await raw('GET', '/Shop/floor/books')).status,
    (await raw('HEAD', '/shop/floor/books')).status,
    (await raw('OPTIONS', '/shop/floor/books')).status,
  ];
  expect(statuses).toEqual([200, 200, 404, 200, 200]);
});

prefixed(
  'Below the prefix of RouterModule a miss under a group has the casing of the group',
  async ({ request }) => {
    const { status, body } = await request().get('/shop/floor/titled/nowhere');
    expect([status, body.Status]).toEqual([404, 'ClientError']);
  },
);

const versioned = EndpointsModule.forFeature([books()]);

const everything = service(
  libraryWith([list('list', 'plain')], {
    imports: [versioned, RouterModule.register([{ path: 'shop', module: versioned.module }])],
    configure: (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' });
    },
  }),
).contract;

everything('RouterModule works together with a global prefix and versions', async ({ request }) => {
  const answer = await request().get('/api/v2/shop/books');
  expectAnswer(answer, 200, success([], { number_results: 0, limit: 50, next_page: {} }));
});
