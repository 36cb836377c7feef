import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { clientError, inputErrors, notFound, success } from '../support/answers.js';
import {
  command,
  runProgram,
  startCommand,
  type CommandOptions,
  type Ended,
} from '../support/command-line/command.js';
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
const printed = async (words: readonly string[], options: CommandOptions = {}): Promise<unknown> => {
  const { code, output, errors } = await run(words, options);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return JSON.parse(output);
};

/** What a failure prints. */
const refused = async (words: readonly string[], options: CommandOptions = {}): Promise<unknown> => {
  const { code, output, errors } = await run(words, options);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  return JSON.parse(errors);
};

/** What a usage error prints; nothing may have happened. */
const misused = async (words: readonly string[], options: CommandOptions = {}): Promise<string> => {
  const { code, output, errors } = await run(words, options);
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(await novels.titles()).toEqual(['Emma', 'Persuasion', 'Mansfield Park']);
  return errors;
};

const emma = { id: 1, title: 'Emma', pages: null, rating: null, is_read: null, published: null, extra: null };

describe.each(['express', 'fastify'] as const)('%s', (application) => {
  test('The words of a command are the path', async () => {
    expect(await printed(['novels', '1'], { application })).toEqual(success(emma));
  });

  test('A command without a body is a GET, and its parameters are the query string', async () => {
    expect(await printed(['novels', '--title', 'Emma', '--limit=5'], { application })).toEqual(
      success([emma], { number_results: 1, limit: 5, next_page: {} }),
    );
  });

  test('A command with -d is a POST', async () => {
    const { data } = (await printed(['novels', '-d', '{"title": "Ulysses"}'], { application })) as {
      data: object;
    };
    expect(data).toMatchObject({ title: 'Ulysses' });
  });

  test('A command with a body on standard input is a POST', async () => {
    await printed(['novels'], { application, input: '{"title": "Ulysses"}' });
    expect(await novels.titles()).toContain('Ulysses');
  });

  test('A failure goes to standard error with exit code 1', async () => {
    expect(await refused(['novels', '99'], { application })).toEqual(notFound);
    expect(await refused(['novels', '-d', '{"title": ""}'], { application })).toEqual(
      inputErrors({ title: "'title' is required." }),
    );
  });

  test('Ctrl-C ends a command with exit code 130 and undoes its transaction', async () => {
    const { child, ended } = startCommand(['slow/novels', '-d', '{"title": "Ulysses"}'], {
      application,
      databaseUrl: novels.url,
    });
    await once(child.stderr ?? child, 'data');
    child.kill('SIGINT');
    const { code, output, errors } = await ended;
    expect({ code, output, errors }).toEqual({ code: 130, output: '', errors: 'saved, not committed\n' });
    expect(await novels.running()).toEqual([]);
    expect(await novels.titles()).toEqual(['Emma', 'Persuasion', 'Mansfield Park']);
  });
});

test('An unknown path is the Not Found envelope on standard error with exit code 1', async () => {
  expect(await refused(['nowhere', 'at', 'all'])).toEqual(notFound);
});

test('An unknown path that is near to a known one is told so', async () => {
  const { code, errors } = await run(['novls']);
  expect(code).toBe(1);
  expect(errors).toMatch(/^There is no 'novls'\. Did you mean 'novels'\?\n\{"status":"client_error"/);
});

test('-X sets the method, and the parameters are then the body', async () => {
  await printed(['novels', '1', '-X', 'PATCH', '--title=Emma, again']);
  await printed(['novels/2', '--request_method', 'delete']);
  expect(await novels.titles()).toEqual(['Mansfield Park', 'Emma, again']);
});

test('The word upsert chooses the Upsert of a path, unless there is a path with that word', async () => {
  const words = ['marks', 'upsert', 'FR-75', '--label=Paris'];
  expect(await printed(words)).toEqual(success({ code: 'FR-75', label: 'Paris' }));
  expect(await printed(['marks', 'FR-75', 'upsert', '--label=Paname'])).toEqual(
    success({ code: 'FR-75', label: 'Paname' }),
  );
  expect(await printed(['marks', '-X', 'PUT', 'upsert', '--label=A key'])).toEqual(
    success({ code: 'upsert', label: 'A key' }),
  );
  expect(await printed(['marks', 'upsert'])).toEqual(success({ code: 'upsert', label: 'A key' }));
});

test('The texts of parameters in a body are read with the type of their column', async () => {
  const words = [
    '--title=12',
    '--pages=12',
    '--rating=1.5',
    '--isRead=x',
    '--is_read=true',
    '--published=1815-12-23',
  ];
  expect(await refused(['novels', '-X', 'POST', ...words])).toMatchObject({ status: 'input_errors' });
  const { data } = (await printed([
    'novels',
    '-X',
    'POST',
    '--extra={"a": [1]}',
    ...words.toSpliced(3, 1),
  ])) as {
    data: object;
  };
  expect(data).toMatchObject({
    title: '12',
    pages: 12,
    rating: 1.5,
    is_read: true,
    published: '1815-12-23',
    extra: { a: [1] },
  });
  // What a number here cannot hold is not made null on the way.
  const beyond = ['novels', '1', '-X', 'PATCH', '--rating=1e400'];
  expect(await refused(beyond)).toHaveProperty('input_errors.rating');
});

test('Columns to show stand in the query string, or are a list of a body, with commas between', async () => {
  const one = { id: 1, title: 'Emma' };
  expect(await printed(['picked/novels', '1', '--fields=title,id'])).toEqual(success(one));
  const words = ['picked/novels', '-X', 'POST', '--title=Ulysses', '--fields=title', '--include=version'];
  expect(await printed(words)).toEqual(success({ title: 'Ulysses', version: 1 }));
  const search = ['picked/search', '-X', 'POST', '--fields=id,title', '--limit=1'];
  expect(await printed(search)).toMatchObject({ data: [one] });
  expect((await run(['picked/novels', '--help'])).output).toMatch(
    /^ {2}--fields +with commas between, some of id, title, pages/m,
  );
});

test('A text that is not of its type is refused by the column', async () => {
  expect(await refused(['novels', '-X', 'POST', '--title=A', '--pages=many'])).toEqual(
    inputErrors({ pages: 'value should be an integer' }),
  );
});

test('Parameters are added to the body of -d', async () => {
  const { data } = (await printed(['echo', '-d', '{"a": [1]}', '--b=2', '-p', 'data=x'])) as {
    data: { body: object };
  };
  expect(data.body).toEqual({ a: [1], b: '2', data: 'x' });
});

test('-H sends headers', async () => {
  const { data } = (await printed(['echo', '-H', 'X-One: 1', '-H', 'X-Two: a: b'])) as {
    data: object;
  };
  expect(data).toMatchObject({ body: null, headers: { 'x-one': '1', 'x-two': 'a: b' } });
});

test('A token comes from --token or from the environment variable TOKEN', async () => {
  expect(await refused(['secret'])).toEqual(clientError('Not Authenticated'));
  expect(await printed(['secret', '--token', 'open sesame'])).toEqual(success('told'));
  expect(await printed(['secret'], { environment: { TOKEN: 'open sesame' } })).toEqual(success('told'));
  expect(await refused(['secret', '--token=wrong'], { environment: { TOKEN: 'open sesame' } })).toEqual(
    clientError('Not Authenticated'),
  );
});

test('What the application prints does not stand in the answer', async () => {
  const { code, output, errors } = await run(['noisy']);
  expect([code, errors]).toEqual([0, 'the application prints\n']);
  expect(JSON.parse(output)).toMatchObject({ status: 'success' });
});

test('The command line runs Migrations without allow_input', async () => {
  const planned = await printed(['migrations', '--command=plan', '--sql=create table shelf (id int)']);
  const created: unknown = expect.stringContaining('CREATE TABLE "public"."shelf"');
  expect(planned).toEqual(success(expect.arrayContaining([created])));
});

describe.each([
  ['two bodies', ['novels', '-d', '{}'], { input: '{"title": "Ulysses"}' }, 'There are two bodies'],
  ['a parameter without a value', ['novels', '--title'], {}, "Option '--title <value>' argument missing"],
  [
    'a parameter whose value is an option',
    ['novels', '--title', '--limit=1'],
    {},
    "Option '--title' argument is ambiguous",
  ],
  ['an unreadable body of -d', ['novels', '-d', '{title}'], {}, 'The value of -d is not valid JSON'],
  ['an unreadable body on standard input', ['novels'], { input: '{' }, 'Standard input is not valid JSON'],
  ['an unknown method', ['novels', '-X', 'FETCH'], {}, "-X 'FETCH' is unknown"],
  ['an unknown short option', ['novels', '-z'], {}, "Unknown option '-z'"],
  ['a malformed header', ['novels', '-H', 'nothing'], {}, '-H needs the form'],
  ['a header with a line break', ['novels', '-H', 'A: b\nc'], {}, 'has characters that no header can have'],
  [
    'a token and its header',
    ['novels', '--token=a', '-H', 'Authorization: b'],
    {},
    '--token and an Authorization header',
  ],
  [
    'a column given twice',
    ['novels', '-X', 'POST', '--title=a', '--title=b'],
    {},
    '--title is given more than once',
  ],
  [
    'a column in body and option',
    ['novels', '-d', '{"title": "a"}', '--title=b'],
    {},
    "'title' is given both",
  ],
  ['parameters of a list body', ['novels', '-d', '[]', '--title=b'], {}, 'The body is no JSON object'],
  [
    'a file that is not there',
    ['novels'],
    { application: 'none' },
    'exports neither AppModule nor createApplication',
  ],
] as const)('%s', (_, words, options, message) => {
  test('A usage error goes to standard error with exit code 2 and nothing is run', async () => {
    expect(await misused(words, options)).toContain(message);
  });
});

test('An application that cannot start is one sentence on standard error with exit code 1', async () => {
  const { code, output, errors } = await run(['novels'], { application: 'broken' });
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(/^Create 'novels': .+\n$/);
});

test('A standard input that is open but empty is no body', async () => {
  expect(await printed(['novels', '1'], { isInputOpen: true })).toEqual(success(emma));
});

test('A closed pipe ends a command quietly', async () => {
  const { child, ended } = startCommand(['lines'], { databaseUrl: novels.url });
  const [first] = (await once(child.stdout ?? child, 'data')) as [string];
  child.stdout?.destroy();
  const { code, errors } = await ended;
  expect(first).toMatch(/^line 0\nline 1\n/);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});

test('A stream flows to standard output whole', async () => {
  const { code, output } = await run(['lines']);
  expect([code, output.length, output.endsWith('line 999999\n')]).toEqual([0, 11_888_890, true]);
});

test('runCli makes a program of a module, with its global prefix and its name', async () => {
  const program = fileURLToPath(new URL('../support/command-line/library.program.mjs', import.meta.url));
  const run = async (...words: string[]): Promise<Ended> =>
    runProgram(program, words, { databaseUrl: novels.url });
  expect(await run('v1', 'novels', '1')).toEqual({
    code: 0,
    output: `${JSON.stringify(success(emma))}\n`,
    errors: '',
  });
  expect((await run('novels', '1')).code).toBe(1);
  expect((await run('--help')).output).toContain('  library <path>');
});
