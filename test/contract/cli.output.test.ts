import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { clientError } from '../support/answers.js';
import {
  command,
  inTerminal,
  startCommand,
  type CommandOptions,
  type Ended,
} from '../support/command-line/command.js';
import { shelf, type Shelf } from '../support/command-line/shelf.js';

let novels: Shelf;
const titles = Array.from({ length: 25 }, (_, index) => `Novel ${String(index + 1)}`);

beforeAll(async () => {
  novels = await shelf();
  await novels.fill(titles);
});
afterAll(() => novels.close());

const run = (words: readonly string[], options: CommandOptions = {}): Promise<Ended> =>
  command(words, { databaseUrl: novels.url, ...options });

/** What a success prints. */
const printed = async (words: readonly string[], options: CommandOptions = {}): Promise<string> => {
  const { code, output, errors } = await run(words, options);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return output;
};

const titlesIn = (lines: string, key: string): unknown[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as Record<string, unknown>)[key]);

test('Piped JSON is one line', async () => {
  expect(await printed(['novels', '1'])).toMatch(/^\{"status":"success",.*\}\n$/);
});

test('--follow walks all pages and prints a line of JSON for each record', async () => {
  expect(titlesIn(await printed(['novels', '--limit=10', '--follow']), 'title')).toEqual(titles);
});

describe.each([
  [
    'a body',
    ['search', '--follow', '-d', '{"limit": 10, "where": [{"column": "id", "operator": ">", "value": 5}]}'],
  ],
  [
    'parameters of a body',
    ['search', '-X', 'POST', '--follow', '--limit=10', '--where=[{"column":"id","operator":">","value":5}]'],
  ],
] as const)('%s', (_, words) => {
  test('--follow keeps what was asked for on every page', async () => {
    expect(titlesIn(await printed(words), 'title')).toEqual(titles.slice(5));
  });
});

test('--follow knows every casing of the envelope', async () => {
  expect(titlesIn(await printed(['title/novels', '--Limit=10', '--follow']), 'Title')).toEqual(titles);
});

describe.each([
  ['parameters', ['plain/novels', '--limit=10', '--follow'], 0],
  [
    'a body',
    [
      'plain/search',
      '--follow',
      '-d',
      '{"limit": 10, "where": [{"column": "id", "operator": ">", "value": 5}]}',
    ],
    5,
  ],
  ['a body that names a page', ['plain/found', '--follow', '-d', '{"limit": 10, "start": 5}'], 5],
] as const)('%s', (_, words, first) => {
  test('--follow goes where Link leads, where answers are plain', async () => {
    expect(titlesIn(await printed(words), 'title')).toEqual(titles.slice(first));
  });
});

test.each(['sums', 'linked/sums'])(
  '--follow asks for every page of %s with the numbers that were typed',
  async (path) => {
    // JavaScript has no number so large; written anew it would be null.
    expect(await printed([path, '--follow', '-d', '{"start": 0, "sum": 1e400}'])).toBe(
      '"Infinity"\n"Infinity"\n',
    );
  },
);

test('--follow prints records with the digits that were sent', async () => {
  expect(await printed(['exact', '--follow'])).toBe('{"sum":9007199254740993.10,"text":"a, \\"b\\""}\n[]\n');
});

test('--table shows the records of a plain list, and a refusal is problem details on standard error', async () => {
  const { code, output } = await run(['plain/novels', '--limit=2', '--table']);
  expect([code, output.trimEnd().split('\n').length]).toEqual([0, 3]);
  const refused = await run(['plain/novels', '99', '--follow']);
  expect([refused.code, refused.output, JSON.parse(refused.errors)]).toEqual([
    1,
    '',
    { type: 'about:blank', title: 'Not Found', status: 404 },
  ]);
});

test('--follow ends with exit code 1 at a page that is refused', async () => {
  const { code, output, errors } = await run(['novels', '--sort=nothing', '--follow']);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(JSON.parse(errors)).toEqual(clientError("'sort' must be one of: id, title, pages"));
});

test('--follow is refused with a method that writes', async () => {
  const { code, errors } = await run(['novels', '1', '-X', 'DELETE', '--follow']);
  expect([code, errors]).toEqual([2, '--follow cannot be used with DELETE.\n']);
});

test('A closed pipe ends --follow quietly', async () => {
  const { child, ended } = startCommand(['novels', '--limit=1', '--follow'], { databaseUrl: novels.url });
  await once(child.stdout ?? child, 'data');
  child.stdout?.destroy();
  const { code, errors } = await ended;
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});

test('--table shows records as a table', async () => {
  const [heading, line, ...rest] = (await printed(['novels', '--limit=2', '--table'])).split('\n');
  expect(heading).toMatch(/^id {2}title {4}pages {2}rating {2}is_read {2}published {2}extra$/);
  expect(line).toMatch(/^ 1 {2}Novel 1$/);
  expect(rest).toEqual([' 2  Novel 2', '']);
});

test('A table gives no control character to the terminal', async () => {
  expect(await printed(['hostile', '--table'])).toBe(
    'text\n\\u{1b}[31mred\\u{7}\\u{202e}\\u{9b}\\u{2028}👩\u200d🚀\n',
  );
});

// A terminal is made by `script` of util-linux.
const onTerminal = process.platform === 'linux' ? test : test.skip;

onTerminal('--follow shows on a terminal how far it is', async () => {
  const { code, output } = await inTerminal(['novels', '--limit=10', '--follow'], {
    databaseUrl: novels.url,
  });
  expect(code).toBe(0);
  expect(output).toMatch(/25\/25 records/);
  expect(output).toContain('Novel 25');
});

onTerminal('On a terminal JSON is indented and coloured', async () => {
  const { code, output } = await inTerminal(['novels', '1'], { databaseUrl: novels.url });
  expect(code).toBe(0);
  expect(output.replaceAll('\u001b', '^')).toMatch(/^\{\r\n {2}\^\[36m"status"\^\[39m: \^\[32m"success"/);
});

onTerminal.each([
  ['an answer', ['hostile']],
  ['--follow', ['hostile', '--follow']],
  ['a table', ['hostile', '--table']],
  ['lines of JSON', ['hostile/lines']],
  ['lines of text', ['hostile/text']],
  ['what is no JSON, though it says so', ['hostile/json']],
])('A terminal obeys nothing that %s has', async (_, words) => {
  const { code, output } = await inTerminal(words, { databaseUrl: novels.url });
  expect([code, output]).toEqual([0, expect.stringMatching(/u\{?(00)?1b\}?\[31mred/)]);
  // The command's own colours and bars have other commands.
  const commands = ['\u001b[31mred', '\u0007', '\u009b', '\u2028', '\u202e'];
  expect(commands.filter((command) => output.includes(command))).toEqual([]);
  expect(output).toContain('👩\u200d🚀');
});

test('What is piped stays as it was sent', async () => {
  expect(await printed(['hostile/text'])).toBe(`text\n\u001b[31mred\u0007\u202e\u009b\u2028👩\u200d🚀\n`);
});

test('What is piped has neither colours nor indentation', async () => {
  const { code, output } = await run(['novels', '1'], { environment: { FORCE_COLOR: '1', NO_COLOR: '' } });
  expect([code, output]).toEqual([0, expect.not.stringContaining('\u001b')]);
});

test('routes lists every route with methods, path, kind, model, authentication and rules', async () => {
  const lines = (await printed(['routes'])).split('\n').map((line) => line.split(/ {2,}/));
  expect(lines[0]).toEqual(['methods', 'path', 'kind', 'model', 'authentication', 'rules']);
  expect(lines).toEqual(
    expect.arrayContaining([
      ['GET', '/novels', 'SimpleSearch', 'Novel', 'public', '–'],
      ['PATCH', '/novels/{id}', 'Update', 'Novel', 'public', '–'],
      ['GET, POST, QUERY', '/search', 'AdvancedSearch', 'Novel', 'public', '–'],
      ['GET', '/secret', 'Callable', '–', 'SecretBearer', '–'],
      ['GET', '/ruled', 'Callable', '–', 'public', 'RequireScopes, anyOf(RequireClaims, RequireScopes)'],
      ['GET', '/documented/schema', 'Schema', '–', 'public', '–'],
    ]),
  );
});

test('schema prints the OpenAPI document of the whole application', async () => {
  const document = JSON.parse(await printed(['schema'])) as { openapi: string; paths: object };
  expect(document.openapi).toMatch(/^3\.1/);
  expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/novels', '/novels/{id}', '/secret']));
});

test('--help lists paths, own words and options', async () => {
  const help = await printed(['--help']);
  expect(help).toMatch(/^ {2}novels +List Novel records$/m);
  for (const word of ['novels <id> -X PATCH', 'routes', 'completion bash', '-d, --data JSON', '--follow'])
    expect(help).toContain(`  ${word}`);
});

test('--help of a path tells its parameters, columns and description', async () => {
  const help = await printed(['novels', '--help']);
  expect(help).toContain('What is on the shelf');
  expect(help).toMatch(/^ {2}--limit +integer, from 1/m);
  expect(help).toMatch(/^ {2}--title +string, .*at most 200 characters; required$/m);
  expect(help).toMatch(/^ {2}--published +date/m);
});

test('A command without words is a usage error that shows the help', async () => {
  const { code, output, errors } = await run([]);
  expect([code, output, errors]).toEqual([2, '', expect.stringContaining('Usage')]);
});

test('completion prints a script that completes paths and parameters', async () => {
  const script = await printed(['completion', 'bash']);
  const complete = async (words: readonly string[]): Promise<string[]> => {
    const typed = ['nest-endpoints', 'dist/app.module.js', ...words].map((word) => `'${word}'`).join(' ');
    const asked = `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _nest_endpoints; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', asked]);
    return stdout.trim().split(' ');
  };
  expect(await complete(['nov'])).toEqual(['novels']);
  expect(await complete(['documented', ''])).toEqual(['schema']);
  expect(await complete(['novels', '--lim'])).toEqual(['--limit=']);
  expect(await complete(['novels', '5', '--pa'])).toEqual(expect.arrayContaining(['--pages=']));
  expect(await complete(['novels', '--fol'])).toEqual(['--follow']);
});

test('An answer that the client has already ends with exit code 0 and prints nothing', async () => {
  const known = await run(['novels', '1', '-H', 'If-None-Match: "1"']);
  expect(known).toMatchObject({ code: 0, output: '', errors: '' });
  const other = await run(['novels', '1', '-H', 'If-None-Match: "2"']);
  expect(other).toMatchObject({ code: 0, output: expect.stringContaining('"Novel 1"') });
});

test('A write whose If-Match is stale ends with exit code 1', async () => {
  const stale = await run(['novels', '1', '-X', 'PATCH', '-H', 'If-Match: "9"', '-d', '{"pages":1}']);
  expect(stale.code).toBe(1);
  expect(JSON.parse(stale.errors)).toEqual(clientError('Precondition Failed'));
});
