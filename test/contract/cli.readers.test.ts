import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { clientError } from '../support/answers.js';
import {
  intoFile,
  startCommand,
  type CommandOptions,
  type RunningCommand,
} from '../support/command-line/command.js';
import { shelf, type Shelf } from '../support/command-line/shelf.js';

let novels: Shelf;

beforeAll(async () => {
  novels = await shelf();
});
beforeEach(() => novels.fill(['Emma']));
afterAll(() => novels.close());

/** Starts a command of whose streams one has no reader. */
const unread = (
  stream: 'stdout' | 'stderr',
  words: readonly string[],
  options: CommandOptions = {},
): RunningCommand => {
  const running = startCommand(words, { databaseUrl: novels.url, ...options });
  running.child[stream]?.destroy();
  return running;
};

const lines = ['-d', '-', '-H', 'Content-Type: application/x-ndjson'];

test('An import goes on to its end when nobody reads what it tells, and its exit code is that of its last line', async () => {
  const codes = [];
  for (const last of ['{"title":"Sanditon"}', '{}']) {
    const { child, ended } = unread('stdout', ['shelves', 'import', ...lines], {
      isInputOpen: true,
      environment: { LIBRARY_TELLS: '1' },
    });
    child.stdin?.write('{"title":"Persuasion"}\n');
    // Each second it tells how far it is.
    await Promise.race([once(child.stderr ?? child, 'data'), ended]);
    child.stdin?.end(last);
    const { code, errors } = await ended;
    expect(errors).toContain('EPIPE');
    codes.push(code);
  }
  expect(codes).toEqual([0, 1]);
  expect(await novels.titles()).toEqual(['Emma', 'Persuasion', 'Sanditon']);
});

test.each([
  ['what it logs', ['novels', '-d', '{"title": "Persuasion"}', '--verbose']],
  ['what the application prints', ['talking/novels', '-d', '{"title": "Persuasion"}']],
])('A write is kept when nobody reads %s, and the exit code is that of its answer', async (_, words) => {
  const { code, output } = await unread('stderr', words).ended;
  expect([code, output]).toEqual([0, expect.stringContaining('"Persuasion"')]);
  expect(await novels.titles()).toEqual(['Emma', 'Persuasion']);
});

test.each([
  ['that there is no such record', ['novels', '99'], 1],
  ['what is wrong with the input', ['novels', '-d', '{"tite": "Emma"}'], 1],
  ['what is wrong with the command', ['novels', '-X', 'FETCH'], 2],
])('The exit code tells %s, though nobody reads it', async (_, words, code) => {
  expect(await unread('stderr', words).ended).toMatchObject({ code, output: '' });
});

test.each([
  ['A stream by POST of a function that only reads', ['endless', '-X', 'POST'], {}],
  [
    'A server for agents',
    ['mcp'],
    { application: 'agents', input: '{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n', isInputOpen: true },
  ],
] as const)('%s ends with exit code 0 when nobody reads on', async (_, words, options) => {
  const { code, errors } = await unread('stdout', words, options).ended;
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});

// Other systems have no such file.
(process.platform === 'linux' ? test : test.skip)(
  'An answer that cannot be written is told in one sentence with exit code 1, and what was written is kept',
  async () => {
    const into = (words: readonly string[]) => intoFile('/dev/full', words, { databaseUrl: novels.url });
    const told = {
      code: 1,
      errors: expect.stringMatching(/^Standard output cannot be written: ENOSPC.*\n$/),
    };
    expect(await into(['novels'])).toMatchObject(told);
    expect(await into(['lines'])).toMatchObject(told);
    expect(await into(['novels', '-d', '{"title": "Persuasion"}'])).toMatchObject(told);
    expect(await novels.titles()).toEqual(['Emma', 'Persuasion']);
    const refused = await into(['novels', '99']);
    expect([refused.code, JSON.parse(refused.errors)]).toEqual([1, clientError('Not Found')]);
  },
);
