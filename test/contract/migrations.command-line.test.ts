import { expect } from '@jest/globals';
import { markAsCommand } from '@nest-endpoints/core/internal';
import { Migrations } from '@nest-endpoints/migrations';
import type { IncomingMessage } from 'node:http';
import { clientError, success } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Note, tables, withoutPets } from './migrations.note.js';

/** What only the command line may send is in no document. */
const undocumented = ({ truth }: Subject): void => {
  truth.problems = [];
};

/** Stands for the command line, which dispatches in this process: what it marks is a command. */
let isCommand = false;

const { contract } = service(
  {
    entities: [Note],
    // Migrations need sessions of their own.
    route: 'direct',
    endpoints: [
      new Migrations({ url: 'schema', sql: ['create table pet (id int)'], unmanaged: ['public.note'] }),
    ],
    configure: (app) => {
      app.getHttpServer().prependListener('request', (request: IncomingMessage) => {
        if (isCommand) markAsCommand(request);
      });
    },
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

contract('On the command line apply works whatever the method is', async (subject) => {
  await withoutPets(subject);
  isCommand = true;
  const { body } = await subject.request().get('/schema?command=apply');
  isCommand = false;
  expect(body).toEqual(success([expect.stringContaining('CREATE TABLE "public"."pet"')]));
  expect(await tables(subject)).toEqual(['pet']);
  undocumented(subject);
});

contract('The command line may name paths and needs no allow_input', async (subject) => {
  isCommand = true;
  const { body } = await subject
    .request()
    .get('/schema')
    .query({ command: 'check', sql: 'nowhere/at-all.sql' });
  isCommand = false;
  expect(body.error).toBe("sql[0]: there is no file or directory 'nowhere/at-all.sql'");
  undocumented(subject);
});

contract('Nothing that comes over the network can pass for the command line', async (subject) => {
  await withoutPets(subject);
  const { body } = await subject
    .request()
    .get('/schema?command=apply')
    .set('X-Command', 'true')
    .set('User-Agent', 'nest-endpoints');
  expect(body).toEqual(clientError("'command' cannot be sent: allowInput of this endpoint is not set"));
  expect(await tables(subject)).toEqual([]);
});
