import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Export, Import, type EndpointOrGroup } from '@nest-endpoints/core';
import type { Response } from 'supertest';
import type { Subject } from '../support/contract.js';
import { columns, land } from './bulk.places.js';

/** A record of nothing but what clients send. */
export const Town = defineEntity({
  name: 'Town',
  properties: {
    id: p.integer().primary(),
    name: p.text(),
    note: p.text().nullable(),
    area: p.double().nullable(),
    isOld: p.boolean().nullable(),
  },
});
export type Town = InferEntity<typeof Town>;

export const towns = {
  modelClass: Town,
  writeableColumnNames: ['id', 'name', 'note', 'area', 'isOld'],
  readableColumnNames: ['id', 'name', 'note', 'area', 'isOld'],
} as const;

export const imported = [...land, Town];

/** Imports and exports of places, and of towns. */
export const transfers = (): EndpointOrGroup[] => [
  new Import({ ...columns, url: 'places/import', maximumRecords: 2000 }),
  new Import({
    ...columns,
    url: 'places/chunks',
    mode: 'chunks',
    maximumRecords: 2000,
    maximumBytes: 4_000_000,
  }),
  new Import({ ...towns, url: 'towns/import', maximumRecords: 200_000 }),
  new Export({ ...towns, url: 'towns/export', formulas: 'keep' }),
];

/** An answer of an import, by its lines. */
export const linesOf = (text: string): Readonly<Record<string, unknown>>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    // How far it is by then depends on the machine.
    .filter((line) => !('progress' in line));

export const asJson = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Sends a table, or lines of JSON. */
export const send = (
  { request }: Pick<Subject, 'request'>,
  path: string,
  body: string,
  type = 'text/csv',
): Promise<Response> =>
  request()
    .post(path)
    .set('Content-Type', type)
    .buffer(true)
    .parse(asText)
    .send(body)
    .then((answer) => answer);

const asText = (answer: Response, done: (error: Error | null, text: string) => void): void => {
  let text = '';
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => (text += chunk));
  answer.on('end', () => {
    done(null, text);
  });
};

/** The lines that an import answers with. */
export const told = async (...sent: Parameters<typeof send>): Promise<unknown> => {
  const answer = await send(...sent);
  return linesOf(String(answer.body));
};

/** The last line. */
export const end = (status: string, created: number, failed = 0, more: object = {}): object => ({
  status,
  ...more,
  data: { lines: created + failed, created, updated: 0, failed },
});
