import { expect } from '@jest/globals';
import { markAsCommand } from '@nest-endpoints/core/internal';
import { Migrations, type MigrationsOptions } from '@nest-endpoints/migrations';
import type { IncomingMessage } from 'node:http';
import { clientError, success } from '../support/answers.js';
import { connectionOf } from '../support/catalogue.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { heldUp } from '../support/waits.js';
import { Note, tables, withoutPets } from './migrations.note.js';

/** What only the command line may send is in no document. */
const undocumented = ({ truth }: Subject): void => {
  truth.problems = [];
};

/** Stands for the command line, which dispatches in this process: what it marks is a command. */
let isCommand = false;

const migrations = (options: Partial<MigrationsOptions>) =>
  new Migrations({ sql: ['create table pet (id int)'], unmanaged: ['public.note'], ...options });

/** Does something while another process applies, or seems to. */
const whileApplied = async ({ orm }: Subject, work: () => Promise<void>): Promise<void> => {
  const connection = connectionOf(orm);
  await connection.transactional(async (transaction) => {
    await connection.execute('select pg_advisory_xact_lock(1315206222, 0)', [], 'all', transaction);
    await work();
  });
};

/** Waits until nobody waits for the process that applies, ten seconds at most. */
const nobodyWaits = async ({ orm }: Subject): Promise<boolean> => {
  const ends = performance.now() + 10_000;
  for (;;) {
    const waiting = await connectionOf(orm).execute<unknown[]>(
      `select from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    if (waiting.length === 0) return true;
    if (performance.now() > ends) return false;
  }
};

const { contract } = service(
  {
    entities: [Note],
    // Migrations need sessions of their own.
    route: 'direct',
    endpoints: [
      migrations({ url: 'schema' }),
      migrations({ url: 'patient', command: 'apply', requestMethods: ['POST'] }),
      migrations({ url: 'hasty', command: 'apply', requestMethods: ['POST'], timeout: 300 }),
    ],
    root: { timeout: 300 },
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

contract(
  'The time limit of the application ends no Migrations, and its own undoes what they do',
  async (subject) => {
    await withoutPets(subject);
    let patient: Promise<{ readonly status: number }> = Promise.reject(new Error('not asked'));
    patient.catch(() => undefined);
    await whileApplied(subject, async () => {
      patient = (async () => subject.request().post('/patient'))();
      await heldUp(subject);
      // Asked later, its time is over later.
      expect((await subject.request().post('/hasty')).status).toBe(503);
    });
    expect((await patient).status).toBe(200);
    expect(await tables(subject)).toEqual(['pet']);
    await withoutPets(subject);
    await whileApplied(subject, async () => {
      expect((await subject.request().post('/hasty')).status).toBe(503);
      expect(await nobodyWaits(subject)).toBe(true);
    });
    expect(await tables(subject)).toEqual([]);
  },
);

contract('The command line waits for Migrations past the time limit of requests', async (subject) => {
  await withoutPets(subject);
  let asked: Promise<{ readonly status: number }> = Promise.reject(new Error('not asked'));
  asked.catch(() => undefined);
  await whileApplied(subject, async () => {
    isCommand = true;
    asked = (async () => subject.request().post('/hasty'))();
    await heldUp(subject);
    isCommand = false;
    // Asked later, its time is over later.
    expect((await subject.request().post('/hasty')).status).toBe(503);
  });
  expect((await asked).status).toBe(200);
  expect(await tables(subject)).toEqual(['pet']);
});

contract('What Migrations do for a client that has gone is undone', async (subject) => {
  await withoutPets(subject);
  await whileApplied(subject, async () => {
    const gone = subject.request().post('/patient');
    const ended = gone.then(
      () => 'answered',
      () => 'gone',
    );
    await heldUp(subject);
    gone.abort();
    expect(await ended).toBe('gone');
    expect(await nobodyWaits(subject)).toBe(true);
  });
  expect(await tables(subject)).toEqual([]);
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
