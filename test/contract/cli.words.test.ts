import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { notFound } from '../support/answers.js';
import {
  command,
  helpIntoFile,
  startCommand,
  type CommandOptions,
  type Ended,
} from '../support/command-line/command.js';
import { shelf, type Shelf } from '../support/command-line/shelf.js';

let novels: Shelf;

beforeAll(async () => {
  novels = await shelf();
});
beforeEach(() => novels.fill(['Emma']));
afterAll(() => novels.close());

const run = (words: readonly string[], options: CommandOptions = {}): Promise<Ended> =>
  command(words, { databaseUrl: novels.url, ...options });

test('A terminal that is closed ends a command with exit code 129 and undoes its transaction', async () => {
  const { child, ended } = startCommand(['slow/novels', '-d', '{"title": "Ulysses"}'], {
    databaseUrl: novels.url,
  });
  await once(child.stderr ?? child, 'data');
  child.kill('SIGHUP');
  expect(await ended).toEqual({ code: 129, output: '', errors: 'saved, not committed\n' });
  expect(await novels.running()).toEqual([]);
  expect(await novels.titles()).toEqual(['Emma']);
});

test.each([
  ['a Delete', ['novels', '1', '-X', 'DELETE'], 'DELETE /novels/1'],
  ['a Create', ['novels', '-d', '{"title": "Ulysses"}'], 'POST /novels'],
])('--dry-run of %s is a usage error, and nothing is done', async (_, words, request) => {
  expect(await run([...words, '--dry-run'])).toEqual({
    code: 2,
    output: '',
    errors: `--dry-run is for an Import, and ${request} is none.\n`,
  });
  expect(await novels.titles()).toEqual(['Emma']);
});

test.each([
  [['changes', 'prune', '--dry-run'], 'changes takes no --dry-run.'],
  [['completion', 'bash', '-X', 'DELETE'], 'completion takes no --request_method.'],
  [['schema', '--format=yaml'], 'schema takes no --format, only --schema_format.'],
])('A word of the command line refuses an option that it would not heed: %j', async (words, told) => {
  expect(await run(words)).toEqual({ code: 2, output: '', errors: `${told}\n` });
});

test.each([
  [['routes'], / routes\n {2}every route, as a table\n$/],
  [['changes', 'prune'], / changes prune\|triggers\|grants <role>\n/],
])('--help of the word %j says what may follow it', async (words, told) => {
  expect(await run([...words, '--help'])).toEqual({
    code: 0,
    output: expect.stringMatching(told),
    errors: '',
  });
});

test('A word of the command line with another behind it that it does not take says which it takes', async () => {
  const { code, errors } = await run(['completion', 'fish']);
  expect(code).toBe(1);
  expect(errors).toMatch(
    /^There is no 'completion fish'\. The words are: completion bash\|zsh\n\{"status":"client_error"/,
  );
});

/** How a command ends that finds no record. */
const refused = { code: 1, output: '', errors: `${JSON.stringify(notFound)}\n` };

test('The words list and restore are those of a trash', async () => {
  const id = await novels.throwAway('Sanditon');
  const listed = JSON.parse((await run(['drafts', 'trash', 'list'])).output) as { data: object };
  expect(listed.data).toMatchObject([{ id, title: 'Sanditon' }]);
  const restored = JSON.parse((await run(['drafts', 'trash', 'restore', String(id)])).output) as {
    data: object;
  };
  expect(restored.data).toEqual({ id, title: 'Sanditon' });
  expect(await run(['drafts', 'trash', 'purge', String(id)])).toEqual(refused);
});

test('The word purge is that of a trash, which restores nothing afterwards', async () => {
  const id = String(await novels.throwAway('The Watsons'));
  expect(await run(['drafts', 'trash', 'purge', id])).toMatchObject({ code: 0, errors: '' });
  expect(await run(['drafts', 'trash', 'restore', id])).toEqual(refused);
});

// Other systems have no such file.
(process.platform === 'linux' ? test : test.skip)(
  'The help of the program that cannot be written is told with exit code 1',
  async () => {
    expect(await helpIntoFile('/dev/full')).toEqual({
      code: 1,
      output: '',
      errors: expect.stringMatching(/^Standard output cannot be written: ENOSPC.*\n$/),
    });
  },
);
