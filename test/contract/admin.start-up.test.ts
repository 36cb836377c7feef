import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { AdminPage } from '@nest-endpoints/admin';
import { builtScript } from './admin.browser.js';

const script = builtScript();
const oidc = { issuer: 'https://login.example/realm', clientId: 'desk', origins: ['https://tokens.example'] };

test('What is wrong in the options stops the start and says what is allowed', () => {
  const made = (options: object) => () => new AdminPage({ url: 'admin', ...options });
  expect(made({ url: undefined })).toThrow(/AdminPage '': url: is required/);
  expect(made({ url: 'admin/:id' })).toThrow(/AdminPage 'admin\/:id': url: must end with a word/);
  expect(made({ titel: 'x' })).toThrow(/titel/);
  expect(made({ title: ' ' })).toThrow(/AdminPage 'admin': title: .*a text that is not empty/);
  expect(made({ schema: '../schema' })).toThrow(/schema: .*a path without a query/);
  expect(made({ resources: [{ label: 'Trips' }] })).toThrow(/resources: entry 1: 'name' is required/);
  expect(made({ resources: [{ name: 'trips', colums: [] }] })).toThrow(/'colums' is unknown.*did you mean/i);
  expect(made({ login: 'password' })).toThrow(
    /login: .*allowed: 'token', or an object with issuer, clientId/,
  );
  expect(made({ login: { issuer: 'https://x.example' } })).toThrow(/login: 'clientId' is required/);
  const login = { issuer: 'http://login.example', clientId: 'desk' };
  expect(made({ login })).toThrow(/login: 'issuer': .*a url of https/);
  expect(made({ login: { ...oidc, origins: ["https://x.example; script-src 'unsafe-inline'"] } })).toThrow(
    /login: 'origins': entry 1: .*an origin/,
  );
});

test('The page weighs at most 450 kB, compressed', () => {
  const content = readFileSync(join(import.meta.dirname, '../../libs/admin/dist/page', script));
  expect(gzipSync(content).length).toBeLessThanOrEqual(450_000);
  expect(gzipSync(content).length).toBeGreaterThan(100_000);
});
