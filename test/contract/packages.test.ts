import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';

const repository = 'https://github.com/nest-endpoints/nest-endpoints';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: { readonly url: string; readonly directory: string };
  readonly license?: string;
  readonly engines?: { readonly node: string };
  readonly publishConfig?: { readonly access: string; readonly provenance: boolean };
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly files?: readonly string[];
  readonly funding?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = async (folder: string): Promise<Manifest> => {
  const path = new URL(`../../libs/${folder}/package.json`, import.meta.url);
  return JSON.parse(await readFile(path, 'utf8')) as Manifest;
};

const libraries = ['auth', 'cli', 'core', 'migrations', 'openapi', 'testing'];
const manifests = await Promise.all(libraries.map(manifestOf));
/** A program, which nobody imports. */
const creator = await manifestOf('create-nest-endpoints');

/** The ranges under which the libraries ask for packages whose names begin so. */
const rangesOf = (beginning: string): readonly string[] =>
  manifests.flatMap(({ dependencies, peerDependencies }) =>
    Object.entries({ ...dependencies, ...peerDependencies })
      .filter(([name]) => name.startsWith(beginning))
      .map(([, range]) => range),
  );

test('Libraries take patches of each other, and no other version', () => {
  const [{ version } = { version: '' }] = manifests;
  expect([...manifests, creator].map((manifest) => manifest.version)).toEqual(
    [...manifests, creator].map(() => version),
  );
  expect(version).toMatch(/^0\./);
  // Of a version 0.x the caret lets in patches alone (Semantic Versioning, 4; npm, semver).
  expect(new Set(rangesOf('@nest-endpoints/'))).toEqual(new Set([`^${version}`]));
});

test('Libraries take patches of the MikroORM that they were tried with, because they reach into it', () => {
  for (const name of ['core', 'sql'])
    expect(new Set(rangesOf(`@mikro-orm/${name}`))).toEqual(new Set(['~7.2.1']));
});

test('Libraries take Nest 11 and 12', () => {
  for (const name of ['common', 'core'])
    expect(new Set(rangesOf(`@nestjs/${name}`))).toEqual(new Set(['^11.0.5 || ^12.0.0']));
  for (const name of ['swagger', 'schematics'])
    expect(new Set(rangesOf(`@nestjs/${name}`))).toEqual(new Set(['^11.0.0 || ^12.0.0']));
});

test.each([...manifests, creator].map((manifest) => [manifest.name, manifest] as const))(
  'The page of %s on npm says where it comes from, and what it needs',
  (name, manifest) => {
    const directory = `libs/${name.split('/').at(-1) ?? ''}`;
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/.{20}/),
      homepage: `${repository}/tree/main/${directory}#readme`,
      bugs: `${repository}/issues`,
      repository: { type: 'git', url: `git+${repository}.git`, directory },
      license: 'MIT',
      engines: { node: '>=22.17.0' },
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest.keywords).toEqual(expect.arrayContaining(['nestjs', 'mikro-orm']));
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', 'CHANGELOG.md', 'README.md']));
    expect(manifest.funding).toBeUndefined();
  },
);

test('Libraries bring their sources, and what may be imported of them is said', () => {
  for (const { name, files, exports = {} } of manifests) {
    expect([name, files]).toEqual([name, expect.arrayContaining(['src'])]);
    expect([name, Object.keys(exports)]).toEqual([name, expect.arrayContaining(['.', './package.json'])]);
  }
});

test('Libraries bring no second copy of what MikroORM pins, and no declarations for others to install', () => {
  expect([...rangesOf('kysely'), ...rangesOf('@types/')]).toEqual([]);
});
