import { expect } from '@jest/globals';
import { AdminPage } from '@nest-endpoints/admin';
import { EndpointGroup } from '@nest-endpoints/core';
import { everyPlatform, service } from '../support/contract.js';
import { authors, libraryWith } from '../support/endpoints.js';
import { builtScript } from './admin.browser.js';

const script = builtScript();

const oidc = { issuer: 'https://login.example/realm', clientId: 'desk', origins: ['https://tokens.example'] };

const { contract } = service(
  libraryWith([
    new EndpointGroup({
      url: 'api',
      endpoints: [
        new AdminPage({ url: 'back/office', title: '<b>"Books"</b>', resources: ['authors'], login: oidc }),
        authors(),
      ],
    }),
    new AdminPage({ url: 'admin' }),
  ]),
  everyPlatform,
);

const policy = (connect: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src ${connect}; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

contract('An admin page is HTML without anything inline, its title is text', async ({ request }) => {
  for (const path of ['/api/back/office', '/api/back/office/']) {
    const { status, text, headers } = await request().get(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8']);
    expect(text).toContain('<title>&#60;b&#62;&#34;Books&#34;&#60;/b&#62;</title>');
    expect(text).toContain('<meta name="admin-depth" content="3">');
    const [link = ''] = [...text.matchAll(/<script[^>]*src="([^"]+)"/g)].map(([, one]) => String(one));
    expect(text.match(/<script|<style| on\w+=| style=/g)).toEqual(['<script']);
    const file = await request().get(new URL(link, `http://x${path}`).pathname);
    expect([file.status, file.headers['content-type']]).toEqual([200, 'text/javascript; charset=UTF-8']);
  }
});

contract('The page and its files allow scripts and styles of the service alone', async ({ request }) => {
  const { headers } = await request().get('/admin');
  expect(headers['content-security-policy']).toBe(policy("'self'"));
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
  for (const file of ['', '/config.json', `/${script}`])
    expect((await request().get(`/api/back/office${file}`)).headers['content-security-policy']).toBe(
      policy("'self' https://login.example https://tokens.example"),
    );
});

contract('The script is kept for ever, the page and its configuration by their tags', async ({ request }) => {
  const file = await request().get(`/admin/${script}`);
  expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  for (const path of ['/admin', '/admin/config.json', `/admin/${script}`]) {
    const { headers } = await request().get(path);
    const known = await request().get(path).set('If-None-Match', String(headers['etag']));
    expect([known.status, known.text, known.headers['etag']]).toEqual([304, '', headers['etag']]);
    expect((await request().get(path).set('If-None-Match', '"other"')).status).toBe(200);
  }
  expect((await request().get('/admin')).headers['cache-control']).toBe('no-cache');
});

contract('HEAD answers as GET without the body', async ({ request }) => {
  for (const path of ['/admin', '/admin/config.json', `/admin/${script}`]) {
    const [got, asked] = [await request().get(path), await request().head(path)];
    expect(asked.status).toBe(200);
    expect(asked.text).toBeFalsy();
    expect(asked.headers['etag']).toBe(got.headers['etag']);
  }
});

contract('The script is told what the options say, and nothing else', async ({ request }) => {
  expect((await request().get('/admin/config.json')).body).toEqual({
    title: 'Admin',
    schema: 'schema',
    parts: 1,
  });
  expect((await request().get('/api/back/office/config.json')).body).toEqual({
    title: '<b>"Books"</b>',
    schema: 'schema',
    resources: ['authors'],
    login: oidc,
    parts: 2,
  });
});

contract('What is no file of the page is Not Found', async ({ raw }) => {
  const odd = ['..%2fpackage.json', '..%2f..%2fpackage.json', '%2e%2e%2findex.js', 'page.files.js'];
  const names = [
    ...odd,
    'constructor',
    '__proto__',
    'toString',
    `${script}.LEGAL.txt`,
    `${script}%00`,
    'a/b',
  ];
  for (const name of names) expect([name, (await raw('GET', `/admin/${name}`)).status]).toEqual([name, 404]);
  expect((await raw('POST', '/admin')).status).toBe(404);
});

contract('Without an AdminPage there is no page', async ({ raw }) => {
  for (const path of ['/api/admin', '/back/office', '/api/back', '/admin/office'])
    expect((await raw('GET', path)).status).toBe(404);
});
