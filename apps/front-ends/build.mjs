// Bundles the pages into `dist/`, or into the directory that is named: one script and one HTML file each. With
// NODE_ENV=development react-admin checks what its data provider gives.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const pages = {
  'react-admin': 'src/react-admin.page.tsx',
  refine: 'src/refine.page.tsx',
  query: 'src/typed/query.page.tsx',
};

const mode = process.env.NODE_ENV === 'development' ? 'development' : 'production';
const target = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'));
await mkdir(target, { recursive: true });
const { metafile } = await build({
  entryPoints: Object.entries(pages).map(([out, page]) => ({ in: join(import.meta.dirname, page), out })),
  outdir: target,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  // Our packages as they are here, whether they are built or not.
  conditions: ['@nest-endpoints/source'],
  define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
  logLevel: 'warning',
  metafile: true,
});
/** The most bytes that our packages may add to a page. */
const most = 35_000;

for (const [file, { inputs }] of Object.entries(metafile.outputs)) {
  const own = Object.entries(inputs).filter(([path]) => /(^|\/)libs\/[^/]+\/src\//.test(path));
  const bytes = own.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  if (bytes === 0 || bytes > most)
    throw new Error(`${file} has ${bytes} bytes of our packages, of at most ${most}`);
}

for (const page of Object.keys(pages)) {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${page}</title>
<link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/${page}.js"></script></html>\n`;
  await writeFile(join(target, `${page}.html`), html);
}
