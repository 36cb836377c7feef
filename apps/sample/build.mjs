// Compiles the sample and the packages it needs, without checking types: `npm run build` does that, and takes longer.
// The same compiler with the same options writes code that does the same; only what changed is compiled.
// `build.mjs <program> <words>` then runs a program of `dist` in the same process: starting another one takes its time.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '../..');

/** The folders of the sample and of everything it refers to. */
function packagesFrom(folder, found = new Set()) {
  if (found.has(folder)) return found;
  found.add(folder);
  const { references = [] } = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8'));
  for (const { path } of references) packagesFrom(resolve(folder, path), found);
  return found;
}

/** The sources of a package whose compiled file is missing or older. */
function* staleIn(folder) {
  const sources = join(folder, 'src');
  for (const entry of readdirSync(sources, { recursive: true })) {
    if (!entry.endsWith('.ts') || entry.endsWith('.d.ts')) continue;
    const source = join(sources, entry);
    const target = join(folder, 'dist', entry.replace(/\.ts$/, '.js'));
    const written = statSync(target, { throwIfNoEntry: false });
    if (written === undefined || written.mtimeMs < statSync(source).mtimeMs) yield { source, target };
  }
}

async function compile(stale) {
  const { default: ts } = await import('typescript');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const compilerOptions = { ...options, declaration: false, declarationMap: false, composite: false };
  for (const { source, target } of stale) {
    const { outputText, sourceMapText } = ts.transpileModule(readFileSync(source, 'utf8'), {
      compilerOptions: { ...compilerOptions, module: ts.ModuleKind.ESNext, moduleResolution: undefined },
      fileName: source,
    });
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
    const map = { ...JSON.parse(sourceMapText), sources: [relative(dirname(target), source)] };
    writeFileSync(`${target}.map`, JSON.stringify(map));
  }
}

const packages = [...packagesFrom(import.meta.dirname)];
const stale = packages.flatMap((folder) => [...staleIn(folder)]);
if (stale.length > 0) {
  const began = performance.now();
  // Not into the output of a command, which may go into a file.
  process.stderr.write(`Compiling ${stale.length} files of the sample and the packages it needs … `);
  await compile(stale);
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(1)} s\nStarting …\n`);
}

// The admin page is a bundle, which `npm run build` makes anew. Without one the service answers all but `/admin`.
if (!existsSync(join(root, 'libs/admin/dist/page'))) {
  process.stderr.write('Bundling the admin page …\n');
  const bundle = join(root, 'libs/admin/build.mjs');
  spawnSync(process.execPath, [bundle], { stdio: ['ignore', 'ignore', 'inherit'] });
}

const [, , program, ...words] = process.argv;
if (program !== undefined) {
  const file = join(import.meta.dirname, 'dist', program);
  process.argv = [process.execPath, file, ...words];
  await import(pathToFileURL(file).href);
}
