import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { developmentIssuer } from '../src/development.issuer.js';
import { Mailer } from '../src/mail/mailer.js';

process.env.DATA_DIR = 'memory://';
const { AppModule } = await import('../src/app.module.js');

describe('The help desk', () => {
  let app: INestApplication<App>;
  let ann: string;
  let bob: string;
  const mails: string[] = [];

  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(Mailer)
      .useValue({ send: (to: string) => mails.push(to) })
      .compile();
    app = testing.createNestApplication();
    await app.init();
    const issuer = await developmentIssuer();
    ann = `Bearer ${await issuer.token({ sub: 'ann', tenant: 'acme' })}`;
    bob = `Bearer ${await issuer.token({ sub: 'bob', tenant: 'globex' })}`;
  }, 60_000);

  afterAll(() => app.close());

  const post = (path: string, token: string, body: object) =>
    request(app.getHttpServer()).post(path).set('Authorization', token).send(body);

  it('sends a mail to who opens a ticket', async () => {
    const team = await post('/teams', ann, { name: 'Printers' }).expect(201);
    const ticket = { subject: 'It is on fire', requester: 'kim@acme.example', team_id: team.body.data.id };
    await post('/tickets', ann, ticket).expect(201);
    expect(mails).toEqual(['kim@acme.example']);
  });

  it('keeps comments to the customer whose ticket it is', async () => {
    await post('/tickets/1/comments', ann, { text: 'Do not use water.' }).expect(201);
    await post('/tickets/1/comments', bob, { text: 'Let it burn.' }).expect(404);
  });

  it('lets nobody in without a token', async () => {
    await request(app.getHttpServer()).get('/tickets').expect(401);
  });
});
