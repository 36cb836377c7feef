import { readFile } from 'node:fs/promises';
import { Callable, NotFound } from '@nest-endpoints/core';

/** The folder of the client that browsers load, a file for each module: what a bundler would put into one. */
const folder = new URL('.', import.meta.resolve('@nest-endpoints/live/client'));
const files: ReadonlySet<string> = new Set([
  'client.js',
  'client/event.parser.js',
  'client/followed.redirects.js',
  'client/follow.records.js',
  'client/live.events.js',
]);

async function script(name: string): Promise<Response> {
  if (!files.has(name)) throw new NotFound();
  const text = await readFile(new URL(name, folder), 'utf8');
  return new Response(text, { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } });
}

const described = {
  description: 'A script of the page of postcards',
  returnStandardResponse: false,
  hidden: true,
} as const;

/** The scripts of the client, for the page of postcards. */
export const liveClient = [
  new Callable({
    ...described,
    url: 'postcards/live/client/:file',
    toCall: ({ routingData }) => script(`client/${routingData['file'] ?? ''}`),
  }),
  new Callable({
    ...described,
    url: 'postcards/live/:file',
    toCall: ({ routingData }) => script(routingData['file'] ?? ''),
  }),
];
