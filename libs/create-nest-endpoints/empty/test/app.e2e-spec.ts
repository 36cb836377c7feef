import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';

process.env.DATA_DIR = 'memory://';
const { AppModule } = await import('../src/app.module.js');

describe('The application', () => {
  let app: INestApplication<App>;

  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = testing.createNestApplication();
    await app.init();
  }, 60_000);

  afterAll(() => app.close());

  it('is healthy', async () => {
    await request(app.getHttpServer()).get('/health').expect(200);
  });
});
