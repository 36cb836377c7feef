import { randomBytes } from 'node:crypto';
import { once as event } from 'node:events';
import { Agent, request as send, type IncomingMessage } from 'node:http';
import { expect, jest } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Callable, List } from '@nest-endpoints/core';
import { service, type Subject } from '../support/contract.js';
import { usedHeap } from './used.heap.js';

jest.setTimeout(120_000);

const Page = defineEntity({
  name: 'Page',
  properties: { id: p.integer().primary(), text: p.text() },
});

/** Long enough that what is kept of it for each connection is seen, in characters. */
const long = 500_000;

/** A text that no other has a part of. */
const textOf = (length: number): string => randomBytes(length / 2).toString('hex');

const { contract } = service({
  entities: [Page],
  endpoints: [
    new Callable({ url: 'short', requestMethods: ['POST'], toCall: () => 1 }),
    new Callable({ url: 'long', requestMethods: ['POST'], toCall: () => textOf(long) }),
    new List({
      url: 'pages',
      modelClass: Page,
      readableColumnNames: ['id', 'text'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    }),
  ],
});

const connections = 30;

interface Question {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** What connections hold that have asked this and then stay, beside those that have asked for nothing much, in bytes. */
async function heldAfter(question: Question, { url }: Subject): Promise<number> {
  const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  // One after the other, because lists that are asked for at once share what they read.
  const ask = async ({ method = 'POST', path, body = '{}' }: Question): Promise<void> => {
    for (const agent of agents) {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
      const sent = send(new URL(path, url), { agent, method, headers: method === 'GET' ? {} : headers });
      sent.end(method === 'GET' ? '' : body);
      const [answer] = (await event(sent, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(200);
      await event(answer.resume(), 'end');
    }
  };
  const used = (): number => {
    // Buffers of one collection are given back by the next at the latest.
    usedHeap();
    return usedHeap() + process.memoryUsage().arrayBuffers;
  };
  try {
    await ask({ path: '/short' });
    const before = used();
    await ask(question);
    return used() - before;
  } finally {
    for (const agent of agents) agent.destroy();
  }
}

contract('A connection that stays keeps nothing of the request and the answer before', async (subject) => {
  for (let id = 1; id <= 20; id += 1) await subject.save(Page, { id, text: textOf(long / 20) });
  const questions: readonly Question[] = [
    { path: '/short', body: JSON.stringify({ text: textOf(long) }) },
    { path: '/long' },
    { method: 'GET', path: '/pages' },
  ];
  for (const question of questions) {
    const held = await heldAfter(question, subject);
    // A tenth of what one of the two would be for each of them.
    expect([question.path, held, held < (connections * long) / 10]).toEqual([question.path, held, true]);
  }
});
