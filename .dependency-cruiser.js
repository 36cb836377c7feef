// The arrows of docs/architecture.md, checked. `npm run arrows` runs this.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The rooms of core. Each may import those before it, never those after it. */
const rooms = [
  'wire',
  'limits',
  'options',
  'model',
  'metadata',
  'query',
  'request',
  'sql',
  'database',
  'replicas',
  'visibility',
  'records',
  'access',
  'endpoint',
  'kinds',
  'routing',
  'documentation',
  'http',
  'nest',
  'schematics',
];
const core = '^libs/core/src';

/** What the package exports may import every room, and the module file the packages of others: they wire. */
const index = `${core}/(index|kinds|internal)\\.ts$`;
const moduleFile = `${core}/nest/endpoints\\.module\\.ts$`;

const roomRules = rooms.map((room, position) => ({
  name: `core-${room}-looks-left`,
  comment: `${room} may import only ${rooms.slice(0, position).join(', ') || 'itself'}.`,
  severity: 'error',
  from: { path: `${core}/${room}/` },
  to: { path: [index, ...rooms.slice(position + 1).map((later) => `${core}/${later}/`)] },
}));

/** How many files a folder may hold, and how many lines it may have without folders of its own. */
const largest = { files: 20, lines: 3000 };

/** The folders of core that are too large to be taken in: a folder is a sentence about its files. */
function crowded(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
  const isCrowded = files.length > largest.files || (inner.length === 0 && lines > largest.lines);
  const own = isCrowded ? [`${folder}: ${files.length} files, ${lines} lines`] : [];
  return [...own, ...inner.flatMap(crowded)];
}

const tooLarge = crowded('libs/core/src');
if (tooLarge.length > 0)
  throw new Error(
    `A folder holds at most ${largest.files} files, and ${largest.lines} lines: ${tooLarge.join('; ')}`,
  );

/** Matches a package by name, wherever it is installed, and its types where they are a package of their own. */
function packages(...names) {
  return names.map((name) => `(^|/)node_modules/(@types/)?${name}`);
}

export default {
  forbidden: [
    ...roomRules,
    {
      name: 'core-has-only-known-rooms',
      comment: 'A new room needs its place in the list above, and a sentence in docs/architecture.md.',
      severity: 'error',
      from: { path: `${core}/[^/]+/`, pathNot: `${core}/(${rooms.join('|')})/` },
      to: {},
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one thing, or hide a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'packages-by-name',
      comment: 'A package is imported by its name, `@nest-endpoints/…`, never through its folders.',
      severity: 'error',
      from: { path: '^(libs/[^/]+|apps/[^/]+|test)/' },
      to: { path: '^(libs|apps)/', pathNot: '^$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'packages-do-not-import-themselves-by-name',
      comment: 'Inside a package, imports are relative: its own index would be a cycle in disguise.',
      severity: 'error',
      from: { path: '^(libs/[^/]+|apps/[^/]+)/' },
      // A dependency in another version than the other packages have lies in a folder of this one.
      to: { path: '^$1/', pathNot: 'node_modules', dependencyTypesNot: ['local'] },
    },
    {
      name: 'libs-know-no-app',
      comment: 'Libraries know neither the applications nor the tests that use them.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|test)/' },
    },
    {
      name: 'database-only-below-access',
      comment:
        'What lies between records and http is plain functions on plain data. Types may be named anywhere.',
      severity: 'error',
      from: {
        path: `${core}/`,
        pathNot: [`${core}/(model|metadata|sql|database|replicas|visibility|records)/`, moduleFile],
      },
      to: { path: packages('@mikro-orm/', 'kysely/'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nest-only-in-http-and-nest',
      comment:
        'Only http, nest and what the Nest CLI calls use Nest. Its types may be named anywhere: guards are options.',
      severity: 'error',
      from: { path: `${core}/`, pathNot: `${core}/(http|nest|schematics)/` },
      to: { path: packages('@nestjs/'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-http-platform-in-libs',
      comment: 'Both platforms get the same answers, so no library leans on one, not even by a type.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: packages('express(-serve-static-core)?/', 'fastify/', '@fastify/', '@nestjs/platform-') },
    },
    {
      name: 'resolvable',
      comment: 'Also catches deep imports: a package exports its index and nothing else.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Clients, and a page that is written against the same types, are compiled where their generated types are, see test/contract/typed-client.test.ts. The help desk has packages
    // of its own.
    exclude: {
      path: '^((libs|apps)/[^/]+/dist/|test/clients/|apps/helpdesk/|libs/create-nest-endpoints/empty/|apps/front-ends/(dist|src/typed)/)',
    },
    tsConfig: { fileName: 'tsconfig.base.json' },
    // Type imports are arrows too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      // Packages of this repo resolve to their source, so a run needs no build.
      conditionNames: ['@nest-endpoints/source', 'types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.json'],
    },
  },
};
