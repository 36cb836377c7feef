import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, IdempotencyRecord } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';

const Desk = defineEntity({
  name: 'Desk',
  properties: { id: p.uuid().primary(), name: p.string() },
});

const Ticket = defineEntity({
  name: 'Ticket',
  properties: { id: p.integer().primary(), desk: () => p.manyToOne(Desk) },
});

const Comment = defineEntity({
  name: 'Comment',
  properties: {
    id: p.integer().primary().autoincrement(),
    ticket: () => p.manyToOne(Ticket),
    text: p.string(),
  },
});

const Shelf = defineEntity({
  name: 'Shelf',
  properties: { id: p.integer().primary().autoincrement(), room: p.string(), floor: p.integer() },
});

const comments = {
  modelClass: Comment,
  readableColumnNames: ['id', 'ticketId', 'text'],
  writeableColumnNames: ['text'],
  idempotency: true,
} as const;

const { contract } = service({
  entities: [Desk, Ticket, Comment, Shelf, IdempotencyRecord],
  endpoints: [
    new Create({ ...comments, url: 'tickets/:ticketId/comments', parent: 'ticket' }),
    new Create({
      ...comments,
      url: 'desks/:deskId/tickets/:ticketId/comments',
      parent: 'ticket.desk',
    }),
    new Create({
      modelClass: Shelf,
      url: 'floors/:floor/:room/shelves',
      readableColumnNames: ['id', 'room', 'floor'],
      writeableColumnNames: ['room', 'floor'],
      includeRoutingDataInRequestData: true,
      idempotency: true,
    }),
  ],
});

const desk = '8e03978e-40d5-43e8-bc93-6894a57f9324';

const open = async ({ save }: Subject): Promise<void> => {
  await save(Desk, { id: desk, name: 'news' });
  for (const id of [1, 10]) await save(Ticket, { id, desk });
};

const sent = ({ request }: Subject, path: string, body: object) =>
  request().post(path).set('Idempotency-Key', 'k').send(body);

contract('A key counts for a parent however the path spells its key', async (subject) => {
  await open(subject);
  const first = await sent(subject, '/tickets/1/comments', { text: 'a' });
  expect(first.status).toBe(201);
  for (const path of ['/tickets/01/comments', '/tickets/0001/comments/', '/tickets/%31/comments']) {
    const again = await sent(subject, path, { text: 'a' });
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  }
  const refused = clientError('The Idempotency-Key was sent with another request before');
  expectAnswer(await sent(subject, '/tickets/01/comments', { text: 'b' }), 409, refused);
  const other = await sent(subject, '/tickets/10/comments', { text: 'a' });
  expect([other.status, other.headers['idempotency-replayed']]).toEqual([201, undefined]);
  expect(await subject.count(Comment)).toBe(2);
});

contract('A key counts for all parents of a path however it spells their keys', async (subject) => {
  await open(subject);
  const first = await sent(subject, `/desks/${desk}/tickets/1/comments`, { text: 'a' });
  const again = await sent(subject, `/desks/${desk.toUpperCase()}/tickets/01/comments`, { text: 'a' });
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers['idempotency-replayed']).toBe('true');
});

contract('A key counts for a path value of the new record however it is spelt', async (subject) => {
  const first = await sent(subject, '/floors/1/hall/shelves', {});
  expect(first.status).toBe(201);
  const again = await sent(subject, '/floors/01/hall/shelves', {});
  expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  // Text is what it is.
  const other = await sent(subject, '/floors/1/Hall/shelves', {});
  expect([other.status, other.headers['idempotency-replayed']]).toEqual([201, undefined]);
});
