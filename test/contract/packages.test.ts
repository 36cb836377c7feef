import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifests = await Promise.all(
  ['auth', 'cli', 'core', 'migrations', 'openapi', 'testing'].map(async (name): Promise<Manifest> => {
    const path = new URL(`../../libs/${name}/package.json`, import.meta.url);
    return JSON.parse(await readFile(path, 'utf8')) as Manifest;
  }),
);

/** The ranges under which the libraries ask for packages whose names begin so. */
const rangesOf = (beginning: string): readonly string[] =>
  manifests.flatMap(({ dependencies, peerDependencies }) =>
    Object.entries({ ...dependencies, ...peerDependencies })
      .filter(([name]) => name.startsWith(beginning))
      .map(([, range]) => range),
  );

test('Libraries take patches of each other, and no other version', () => {
  const [{ version } = { version: '' }] = manifests;
  expect(manifests.map((manifest) => manifest.version)).toEqual(manifests.map(() => version));
  expect(version).toMatch(/^0\./);
  // Of a version 0.x the caret lets in patches alone (Semantic Versioning, 4; npm, semver).
  expect(new Set(rangesOf('@nest-endpoints/'))).toEqual(new Set([`^${version}`]));
});

test('Libraries take patches of the MikroORM that they were tried with, because they reach into it', () => {
  for (const name of ['core', 'sql'])
    expect(new Set(rangesOf(`@mikro-orm/${name}`))).toEqual(new Set(['~7.2.1']));
});

test('Libraries bring no second copy of what MikroORM pins, and no declarations for others to install', () => {
  expect([...rangesOf('kysely'), ...rangesOf('@types/')]).toEqual([]);
});
