import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { success } from '../support/answers.js';
import { directoryDatabase, letter, parcel, rootOptions, town } from './schematics.texts.js';

const run = promisify(execFile);
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const nest = join(modules, '@nestjs/cli/bin/nest.js');
const tsc = join(modules, 'typescript/bin/tsc');
const binary = fileURLToPath(new URL('../../libs/cli/dist/nest-endpoints.js', import.meta.url));

/** Below this package, so that its packages are found. */
let place: string;
let app: string;

const told = async (
  ...words: readonly string[]
): Promise<{ readonly stdout: string; readonly stderr: string }> => {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const env = { ...inherited, NODE_NO_WARNINGS: '1', NO_COLOR: '1' };
  return run(process.execPath, words, { cwd: app, env }).catch(explained);
};

const node = async (...words: readonly string[]): Promise<string> => (await told(...words)).stdout;

/** Compilers complain on standard output. */
const explained = (error: Error & { readonly stdout?: string }): never => {
  throw new Error(`${error.message}\n${error.stdout ?? ''}`, { cause: error });
};

const file = (path: string): Promise<string> => readFile(join(app, path), 'utf8');

beforeAll(async () => {
  const scratch = fileURLToPath(new URL('../.scratch', import.meta.url));
  await mkdir(scratch, { recursive: true });
  app = place = await mkdtemp(join(scratch, 'schematics-'));
  await node(nest, 'new', 'shop', '--skip-git', '--skip-install', '--package-manager=npm', '--language=ts');
  app = join(place, 'shop');
  await cp(app, join(place, 'other'), { recursive: true });
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** Installed already, so that the schematic has nothing to fetch. */
const packages = {
  '@mikro-orm/core': '*',
  '@mikro-orm/nestjs': '*',
  '@mikro-orm/pglite': '*',
  '@mikro-orm/sql': '*',
};

test('nest add puts the module and a database into a fresh application, once', async () => {
  const manifest = JSON.parse(await file('package.json')) as { dependencies: object };
  const dependencies = { ...manifest.dependencies, ...packages };
  await writeFile(join(app, 'package.json'), JSON.stringify({ ...manifest, dependencies }));
  await node(nest, 'add', '@nest-endpoints/core', '--skip-install');
  const added = await file('src/app.module.ts');
  expect(added).toContain("import { EndpointsModule } from '@nest-endpoints/core';");
  expect(added).toContain("    EndpointsModule.forRoot({ externalCasing: 'snake_case' }),\n  ],");
  expect(await file('src/database.module.ts')).toContain('PgliteDriver');
  expect(await file('src/main.ts')).toContain("  app.disable('x-powered-by');\n");
  expect(await node(nest, 'add', '@nest-endpoints/core', '--skip-install')).toContain('Nothing to be done');
  expect(await file('src/app.module.ts')).toBe(added);
});

test('nest add asks for exactly the versions of MikroORM that were tried with it', async () => {
  const other = join(place, 'other');
  // Who installs is not asked: the versions that are wanted stand in the manifest.
  const npm = join(place, 'npm');
  await writeFile(npm, '#!/bin/sh\nexit 0\n');
  await chmod(npm, 0o755);
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const env = { ...inherited, NODE_NO_WARNINGS: '1', PATH: `${place}:${inherited['PATH'] ?? ''}` };
  await run(process.execPath, [nest, 'add', '@nest-endpoints/core', '--skip-install'], { cwd: other, env });
  const { dependencies } = JSON.parse(await readFile(join(other, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const wanted = Object.entries(dependencies).filter(([name]) => name.startsWith('@mikro-orm/'));
  expect(wanted.map(([name]) => name)).toEqual(Object.keys(packages));
  const installed = wanted.map(async ([name]): Promise<[string, string]> => {
    const manifest = await readFile(join(modules, name, 'package.json'), 'utf8');
    return [name, (JSON.parse(manifest) as { version: string }).version];
  });
  expect(wanted).toEqual(await Promise.all(installed));
});

test('nest g endpoint writes entity, endpoints, module and test, once', async () => {
  expect(await node(nest, 'g', '-c', '@nest-endpoints/core', 'endpoint', 'city')).toContain(
    'CREATE src/city/city.endpoints.ts',
  );
  await writeFile(
    join(app, 'src/city/city.endpoints.ts'),
    (await file('src/city/city.endpoints.ts')) + '\n// mine\n',
  );
  expect(await node(nest, 'g', '-c', '@nest-endpoints/core', 'endpoint', 'city')).toContain(
    'Nothing to be done',
  );
  expect(await file('src/city/city.endpoints.ts')).toContain('// mine');
});

test('nest g endpoint reads the columns of an entity that is there', async () => {
  await mkdir(join(app, 'src/places'));
  await writeFile(join(app, 'src/places/big-town.entity.ts'), town);
  await node(nest, 'g', '-c', '@nest-endpoints/core', 'endpoint', 'BigTown');
  const endpoints = await file('src/big-town/big-town.endpoints.ts');
  expect(endpoints).toContain("from '../places/big-town.entity.js'");
  expect(endpoints).toContain("url: 'big-towns'");
  expect(endpoints).toContain("readableColumnNames: ['code', 'title', 'size']");
  expect(endpoints).toContain("writeableColumnNames: ['title', 'size']");
});

test('nest g endpoint reads the columns of an entity that is written on one line', async () => {
  await writeFile(
    join(app, 'src/places/lane.entity.ts'),
    "import { defineEntity, p } from '@mikro-orm/core';\n" +
      "export const Lane = defineEntity({ name: 'Lane', properties: { id: p.integer().primary(), title: p.string().length(9), note: p.string().hidden(), width: p.integer().nullable() } });\n",
  );
  await node(nest, 'g', '-c', '@nest-endpoints/core', 'endpoint', 'lane');
  const endpoints = await file('src/lane/lane.endpoints.ts');
  expect(endpoints).toContain("readableColumnNames: ['id', 'title', 'width']");
  expect(endpoints).toContain("writeableColumnNames: ['title', 'width']");
});

test('nest g endpoint leaves out what the service sets, and takes the keys of parents', async () => {
  await writeFile(join(app, 'src/places/parcel.entity.ts'), parcel);
  await writeFile(join(app, 'src/places/letter.entity.ts'), letter);
  for (const name of ['parcel', 'letter']) {
    await node(nest, 'g', '-c', '@nest-endpoints/core', 'endpoint', name);
    const endpoints = await file(`src/${name}/${name}.endpoints.ts`);
    const readable = "['id', 'sender', 'townCode', 'wholeId', 'posted', 'arrives', 'weight', 'edition']";
    expect(endpoints).toContain(`readableColumnNames: ${readable}`);
    expect(endpoints).toContain(
      "writeableColumnNames: ['sender', 'townCode', 'wholeId', 'arrives', 'weight']",
    );
  }
});

/** An entity of Nest's own naming. */
const harbourEntity = `import { defineEntity, p } from '@mikro-orm/core';
export const HarbourEntity = defineEntity({ name: 'Harbour', properties: { id: p.integer().primary(), name: p.string() } });
`;

test('nest g endpoint takes other names where a file has one, and registers every module', async () => {
  await writeFile(join(app, 'src/places/harbour.entity.ts'), harbourEntity);
  const names = ['database', 'endpoints', 'mikro-orm', 'app', 'module', 'restful-api', 'harbour', 'order'];
  for (const name of [...names, 'sales/order'])
    await node(nest, 'g', '-c', '@nest-endpoints/core', 'endpoint', name, '--no-spec');
  const root = await file('src/app.module.ts');
  const imports = [
    "import { DatabaseEndpointsModule } from './database/database.module.js';",
    "import { AppEndpointsModule } from './app/app.module.js';",
    "import { OrderModule } from './order/order.module.js';",
    "import { SalesOrderModule } from './sales/order/order.module.js';",
  ];
  for (const line of imports) expect(root).toContain(line);
  for (const entry of ['OrderModule', 'SalesOrderModule', 'AppEndpointsModule', 'DatabaseModule'])
    expect(root.match(new RegExp(`^    ${entry},$`, 'gm'))).toHaveLength(1);
  expect(await file('src/sales/order/order.endpoints.ts')).toContain("url: 'sales/orders'");
  expect(await file('src/harbour/harbour.endpoints.ts')).toContain('modelClass: HarbourEntity,');
  const again = await node(nest, 'g', '-c', '@nest-endpoints/core', 'endpoint', 'sales/order', '--no-spec');
  expect(again).toContain('Nothing to be done');
});

test('nest g endpoint writes nothing where two endpoints would have one url, or a file is another', async () => {
  /** Nest's command line ends well all the same. */
  const generated = async (...words: readonly string[]): Promise<string> =>
    (await told(nest, 'g', '-c', '@nest-endpoints/core', 'endpoint', '--no-spec', ...words)).stderr;
  await generated('sales/basket');
  expect(await generated('basket')).toContain("The url 'baskets' is one of src/sales/basket/basket");
  await expect(file('src/basket/basket.module.ts')).rejects.toThrow('ENOENT');
  const taken = 'src/database.module.ts is there, and is no module of databaseEndpoints';
  await rm(join(app, 'src/database'), { recursive: true });
  const root = await file('src/app.module.ts');
  expect(await generated('database', '--flat')).toContain(taken);
  expect(await file('src/app.module.ts')).toBe(root);
  await generated('database');
  await writeFile(join(app, 'src/places/buoy.entity.ts'), 'export const one = 1;\nexport const two = 2;\n');
  expect(await generated('buoy')).toContain('src/places/buoy.entity.ts exports no entity');
  await rm(join(app, 'src/places/buoy.entity.ts'));
});

/** The root module with other options of `forRoot`. */
const withOptions = async (options: string): Promise<void> => {
  const text = await file('src/app.module.ts');
  const call = `EndpointsModule.forRoot(${options}),`;
  await writeFile(
    join(app, 'src/app.module.ts'),
    text.replace(/EndpointsModule\.forRoot\(.*\),/, () => call),
  );
};

test('nest g endpoint writes a test of what the root module tells, and none where it does not tell', async () => {
  const generated = async (name: string, options: string): Promise<string> => {
    await withOptions(options);
    return node(nest, 'g', '-c', '@nest-endpoints/core', 'endpoint', name);
  };
  await generated('quay', "{ externalCasing: 'snake_case', answers: plain }");
  expect(await file('test/quay.e2e-spec.ts')).not.toContain('input_errors');
  await generated('pier', "{ externalCasing: 'snake_case', authentication: nobody }");
  expect(await file('test/pier.e2e-spec.ts')).toContain('expect(401)');
  for (const [index, options] of ['options', '{ ...options }', '{ authorization: rule }'].entries()) {
    const name = `jetty${String(index)}`;
    const told = 'No e2e test: src/app.module.ts does not tell who may ask';
    expect(await generated(name, options)).toContain(told);
    await expect(file(`test/${name}.e2e-spec.ts`)).rejects.toThrow('ENOENT');
  }
  await withOptions('rootOptions()');
  await writeFile(join(app, 'src/root.options.ts'), rootOptions);
  const text = await file('src/app.module.ts');
  await writeFile(
    join(app, 'src/app.module.ts'),
    `import { rootOptions } from './root.options.js';\n${text}`,
  );
  await writeFile(join(app, 'src/database.module.ts'), directoryDatabase);
});

test('What schematics write compiles under strict, starts and answers', async () => {
  await writeFile(join(app, 'globals.d.ts'), globals);
  await writeFile(join(app, 'tsconfig.test.json'), JSON.stringify(configuration));
  await node(tsc, '--project', 'tsconfig.test.json');
  process.env['DATA_DIR'] = 'memory://';
  const output = await node(binary, 'dist/src/app.module.js', 'cities', '-d', '{"name": "Nice"}');
  delete process.env['DATA_DIR'];
  expect(JSON.parse(output)).toEqual(success({ id: 1, name: 'Nice' }));
});

/** The application's own, without the configuration of Vitest, which is not installed here. */
const configuration = {
  extends: './tsconfig.json',
  compilerOptions: { types: ['node'], strict: true },
  include: ['src', 'test', 'globals.d.ts'],
};

/** What Vitest and Jest declare, as far as tests here use it. */
const globals = `declare const describe: (name: string, body: () => void) => void;
declare const it: (name: string, body: () => unknown, patience?: number) => void;
declare const beforeAll: (body: () => unknown, patience?: number) => void;
declare const beforeEach: typeof beforeAll;
declare const afterAll: typeof beforeAll;
declare const afterEach: typeof beforeAll;
declare const expect: (value: unknown) => { toBe(other: unknown): void; toMatchObject(other: object): void };
`;

/** Runs a test that a schematic wrote. */
const passed = async (name: string, options = 'open'): Promise<string> => {
  await writeFile(
    join(app, 'jest.config.json'),
    JSON.stringify({
      testEnvironment: 'node',
      testMatch: [`<rootDir>/dist/test/${name}.e2e-spec.js`],
      transform: {},
      // What is slow has its own limit: an application starts and answers in no millisecond.
      testTimeout: 1,
    }),
  );
  const jest = join(modules, 'jest/bin/jest.js');
  const words = ['--experimental-vm-modules', jest, '--config', 'jest.config.json'];
  const env = { ...process.env, NODE_OPTIONS: '', ROOT_OPTIONS: options };
  return (await run(process.execPath, words, { cwd: app, env })).stderr;
};

test('The e2e test that schematics write passes', async () => {
  expect(await passed('city')).toContain('2 passed');
  expect(await passed('quay', 'plain')).toContain('2 passed');
  expect(await passed('pier', 'nobody')).toContain('1 passed');
  // None of them has opened the developer's own.
  await expect(file('.data/PG_VERSION')).rejects.toThrow('ENOENT');
}, 300_000);
