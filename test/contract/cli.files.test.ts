import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, type CommandOptions, type Ended } from '../support/command-line/command.js';
import { shelf, type Shelf } from '../support/command-line/shelf.js';

let novels: Shelf;

beforeAll(async () => {
  novels = await shelf();
});
beforeEach(() => novels.fill(['Emma', 'Persuasion', 'Mansfield Park']));
afterAll(() => novels.close());

const run = (words: readonly string[], options: CommandOptions = {}): Promise<Ended> =>
  command(words, { databaseUrl: novels.url, ...options });

/** What a success prints. */
const succeeded = async (words: readonly string[]): Promise<unknown> => {
  const { code, output, errors } = await run(words);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return JSON.parse(output);
};

/** What a usage error prints; nothing may have happened. */
const misused = async (words: readonly string[]): Promise<string> => {
  const { code, output, errors } = await run(words);
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(await novels.titles()).toEqual(['Emma', 'Persuasion', 'Mansfield Park']);
  return errors;
};

/** Does something with files of their own, and removes them. */
const withFiles = async (
  contents: Readonly<Record<string, string | Uint8Array>>,
  use: (at: (name: string) => string) => Promise<void>,
): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'nest-endpoints-cli-'));
  try {
    for (const [name, content] of Object.entries(contents)) await writeFile(join(directory, name), content);
    await use((name) => join(directory, name));
  } finally {
    await rm(directory, { recursive: true });
  }
};

test('A file that is not UTF-8 is a usage error, and one with a byte order mark is read without it', async () => {
  const files = {
    'bad.json': Buffer.from('{"title":"\xff\xfe"}', 'latin1'),
    'marked.json': '\ufeff{"title":"Ulysses"}',
  };
  await withFiles(files, async (at) => {
    expect(await misused(['novels', '-d', `@${at('bad.json')}`])).toBe(`'${at('bad.json')}' is not UTF-8.\n`);
    expect(await succeeded(['novels', '-d', `@${at('marked.json')}`])).toMatchObject({ status: 'success' });
    expect((await novels.titles()).at(-1)).toBe('Ulysses');
  });
});

test('A directory is a usage error, whatever its name says of it', async () => {
  await withFiles({}, async (at) => {
    for (const name of ['novels.csv', 'novels.json']) {
      await mkdir(at(name));
      const told = `'${at(name)}' cannot be read: it is a directory.\n`;
      expect(await misused(['shelves', 'import', '-d', `@${at(name)}`])).toBe(told);
    }
  });
});

test('A file is a body that flows: an import is told by the line, and its end by the exit code', async () => {
  const files = {
    'good.csv': 'title,pages\n"Ulysses, a novel",700\nDubliners,\n',
    'bad.ndjson': '{"title":"Ulysses"}\n{"pages":1}\n',
    'other.txt': 'x',
  };
  await withFiles(files, async (at) => {
    const [good, bad, other] = Object.keys(files).map(at);
    const counts = { lines: 2, created: 2, updated: 0, failed: 0 };
    const send = (...words: string[]): Promise<unknown> => succeeded(['shelves', 'import', ...words]);
    expect(await send('--dry-run', '-d', `@${good}`)).toEqual({
      status: 'success',
      data: { ...counts, dry_run: true },
    });
    expect(await novels.titles()).toHaveLength(3);
    expect(await send('-d', `@${good}`)).toEqual({ status: 'success', data: counts });
    const exported =
      'title,pages\r\nEmma,\r\nPersuasion,\r\nMansfield Park,\r\n"Ulysses, a novel",700\r\nDubliners,\r\n';
    expect(await run(['shelves', 'export', '--format=csv'])).toEqual({
      code: 0,
      output: exported,
      errors: '',
    });
    const refused = await run(['shelves', 'import', '-d', `@${bad}`]);
    expect(refused).toMatchObject({ code: 1, errors: '' });
    expect(refused.output).toContain(
      `{"line":2,"input_errors":{"title":"'title' is required."}}\n{"status":"input_errors"`,
    );
    const cased = ['title', 'novels', 'import', '-d', '-', '-H', 'Content-Type: text/csv'];
    expect(await run(cased, { input: 'Title\nChamber Music' })).toMatchObject({ code: 0, errors: '' });
    expect(await run(cased, { input: 'Title,Pages\n,1' })).toMatchObject({ code: 1, errors: '' });
    const piped = await run(['shelves', 'import', '-d', '-', '-H', 'Content-Type: text/csv'], {
      input: 'title\nChamber Music',
    });
    expect(piped.output).toContain('"created":1');
    await novels.fill(['Emma', 'Persuasion', 'Mansfield Park']);
    expect(await misused(['shelves', 'import', '-d', `@${other}`])).toContain("-H 'Content-Type: text/csv'");
    expect(await misused(['shelves', 'import', '-d', '@nothing.csv'])).toContain(
      "'nothing.csv' cannot be read",
    );
  });
});
