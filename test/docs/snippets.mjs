// Compiles the TypeScript of every page with the flags of an application of the Nest CLI, against the packages as they
// are built. What a block imports from a file beside it is the block of the page with that name, or the file of the
// sample with that name.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';

const repo = join(import.meta.dirname, '../..');
const template = 'node_modules/@nestjs/schematics/dist/lib/application/files/ts-esm/tsconfig.json';

/** Pages stand in folders of their own, which are in memory only. */
const folder = join(repo, 'test/docs/pages');

/**
 * @param {import('./page.mjs').Page[]} pages
 * @param {Record<string, string>} generated files that every page has beside its blocks
 * @returns {{ count: number, problems: string[] }}
 */
export function compileSnippets(pages, generated) {
  const alone = pages.filter(isAugmenting);
  const together = pages.filter((page) => !isAugmenting(page));
  const compiled = [together, ...alone.map((page) => [page])].map((some) => compile(some, generated));
  const count = compiled.reduce((sum, { count }) => sum + count, 0);
  const problems = new Set(compiled.flatMap(({ problems }) => problems));
  return { count, problems: [...problems, ...pages.flatMap(copies)] };
}

/** What a page adds to the types of a package holds for all that is compiled with it. */
function isAugmenting({ blocks }) {
  return blocks.some(({ language, text }) => language === 'ts' && /^declare module '/m.test(text));
}

function compile(pages, generated) {
  const files = new Map();
  for (const page of pages) for (const [path, file] of filesOf(page, generated)) files.set(path, file);
  const count = [...files.values()].filter(({ isBlock }) => isBlock).length;
  const problems = [];
  let earlier;
  for (const options of [nestOptions(), { ...nestOptions(), ...stricter }]) {
    const program = ts.createProgram([...files.keys()], options, hostOf(files, options), earlier);
    for (const diagnostic of ts.getPreEmitDiagnostics(program)) problems.push(told(files, diagnostic));
    earlier = program;
  }
  return { count, problems };
}

/** The files that are no block, as they were parsed: the flags of the programs differ in nothing that the parser reads. */
const parsed = new Map();

/** Flags that some people add, and that this repository has. */
const stricter = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
};

/** @returns {import('typescript').CompilerOptions} */
function nestOptions() {
  const text = readFileSync(join(repo, template), 'utf8').replace('<%= strict %>', 'true');
  const { config, error } = ts.parseConfigFileTextToJson(template, text);
  if (error !== undefined)
    throw new Error(`${template}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`);
  const { options, errors } = ts.convertCompilerOptionsFromJson(config.compilerOptions, repo);
  if (errors.length > 0) throw new Error(ts.flattenDiagnosticMessageText(errors[0].messageText, '\n'));
  if (options.strict !== true) throw new Error(`${template} has no place for strict`);
  // Nothing is written, and the test runner of the template is not installed here.
  return { ...options, noEmit: true, incremental: false, declaration: false, types: ['node'], rootDir: repo };
}

/**
 * @param {import('./page.mjs').Page} page
 * @param {Record<string, string>} generated
 */
function filesOf(page, generated) {
  const { path, blocks, files } = page;
  const place = join(folder, relative(repo, path).replaceAll(/[/.]/g, '-'));
  const all = new Map();
  const imported = new Set(
    blocks.flatMap(({ text }) => [...text.matchAll(/'\.\/([^']+)\.js'/g)].map(([, name]) => `${name}.ts`)),
  );
  for (const [name, text] of Object.entries(generated))
    if (imported.has(name)) all.set(join(place, name), { text, page: path, line: 0 });
  for (const { name, text, line } of files) all.set(join(place, name), { text, page: path, line: line - 1 });
  blocks
    .filter(({ language }) => language === 'ts')
    .forEach(({ text, line, directives }, index) => {
      const name = directives.get('file') ?? `snippet-${index + 1}.ts`;
      const [before, after = ''] = `${directives.get('given') ?? '…'}`.split(/^…$/m);
      const given = before.trim() === '' ? '' : `${before.trimEnd()}\n`;
      const whole = `${given}${text}\n${after}\nexport {};\n`;
      all.set(join(place, name), {
        text: whole,
        page: path,
        line: line - 1 - given.split('\n').length + 1,
        isBlock: true,
      });
    });
  for (const sample of globSync('apps/sample/src/**/*.ts', { cwd: repo })) {
    const beside = join(place, basename(sample));
    if (all.has(beside) || (isAugmenting(page) && !imported.has(basename(sample)))) continue;
    const target = relative(place, join(repo, sample)).replace(/\.ts$/, '.js');
    all.set(beside, { text: `export * from '${target}';\n`, page: path, line: 0, isLink: true });
  }
  return all;
}

/**
 * @param {Map<string, { text: string }>} files
 * @param {import('typescript').CompilerOptions} options
 */
function hostOf(files, options) {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile, directoryExists } = host;
  const folders = new Set([...files.keys()].map(dirname));
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path)?.text ?? readFile(path);
  host.directoryExists = (path) => folders.has(path) || path === folder || directoryExists(path);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const file = files.get(path);
    if (file !== undefined) return ts.createSourceFile(path, file.text, languageVersion, true);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, languageVersion, ...rest));
    return parsed.get(path);
  };
  return host;
}

/**
 * @param {Map<string, { page: string, line: number }>} files
 * @param {import('typescript').Diagnostic} diagnostic
 */
function told(files, { file, start, messageText, code }) {
  const message = `TS${code} ${ts.flattenDiagnosticMessageText(messageText, '\n  ')}`;
  if (file === undefined) return message;
  const { line } = file.getLineAndCharacterOfPosition(start ?? 0);
  const known = files.get(file.fileName);
  if (known === undefined) return `${relative(repo, file.fileName)}:${line + 1}: ${message}`;
  return `${relative(repo, known.page)}:${known.line + line + 1}: ${message}`;
}

/**
 * A block that is said to be a file of the repository has the same text, wherever it imports from.
 * @param {import('./page.mjs').Page} page
 */
function copies({ path, blocks }) {
  return blocks.flatMap(({ text, line, directives }) => {
    const source = directives.get('sample');
    if (source === undefined) return [];
    const actual = readFileSync(join(repo, source), 'utf8');
    return plain(actual) === plain(text)
      ? []
      : [`${relative(repo, path)}:${line}: the block is not what ${source} says`];
  });
}

/** Without the folders of relative imports. @param {string} text */
function plain(text) {
  return text.replaceAll(/from '\.[^']*\/([^/']+)'/g, "from './$1'").trim();
}
