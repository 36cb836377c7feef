import type { EndpointNames } from './endpoint.names.js';
import type { RootSettings } from './root.settings.js';

/** Asks the endpoints over HTTP, in the application itself. Vitest and Jest both run it. */
export function testText(
  { url }: EndpointNames,
  settings: RootSettings,
  appModuleFile: string,
  ending: string,
): string {
  return `import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { App } from 'supertest/types${ending}';

/** A database that begins with the test takes its time, in milliseconds. */
const patience = 60_000;

describe('/${url}', () => {
  let app: INestApplication<App>;

  beforeAll(async () => {
    // A database of its own, where the database module heeds this: what you have in a directory stays as it is.
    process.env['DATA_DIR'] = 'memory://';
    const { AppModule } = await import('${appModuleFile}');
    const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = testing.createNestApplication();
    await app.init();
  }, patience);

  afterAll(() => app.close(), patience);

${settings.isGuarded ? guarded(url) : open(url, settings)}});
`;
}

function guarded(url: string): string {
  return `  // The root module says who may ask. With a token of yours it is 200: .set('Authorization', \`Bearer \${token}\`).
  it('lets nobody in without a token', async () => {
    await request(app.getHttpServer()).get('/${url}').expect(401);
    await request(app.getHttpServer()).get('/${url}/0').expect(401);
  }, patience);
`;
}

function open(url: string, { hasEnvelope }: RootSettings): string {
  const page = `
    expect(body).toMatchObject({ status: 'success', error: '', input_errors: {} });
    expect(Array.isArray(body.data)).toBe(true);`;
  const miss = `
    expect(body).toMatchObject({ status: 'client_error', error: 'Not Found' });`;
  const asked = (path: string, status: number, checks: string): string =>
    `${hasEnvelope ? 'const { body } = ' : ''}await request(app.getHttpServer()).get('/${path}').expect(${String(status)});` +
    (hasEnvelope ? checks : '');
  return `  it('answers a page of records', async () => {
    ${asked(url, 200, page)}
  }, patience);

  it('does not find what is not there', async () => {
    ${asked(`${url}/0`, 404, miss)}
  }, patience);
`;
}
