// Bundles the page into `dist/page`: scripts whose names say what is in them, and the licences of what they are made of.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** The most bytes that a browser loads, compressed. */
const most = 450_000;

const outdir = join(import.meta.dirname, 'dist/page');
await rm(outdir, { recursive: true, force: true });
const { outputFiles } = await build({
  entryPoints: { admin: join(import.meta.dirname, 'page/main.tsx') },
  outdir,
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  legalComments: 'linked',
  // Our packages as they are here, whether they are built or not.
  conditions: ['@nest-endpoints/source'],
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
  write: false,
});
await mkdir(outdir, { recursive: true });
for (const { path, contents } of outputFiles) {
  await writeFile(path, contents);
  const bytes = path.endsWith('.js') ? gzipSync(contents, { level: 9 }).length : 0;
  if (bytes > most) throw new Error(`${path} has ${bytes} bytes, compressed, of at most ${most}`);
  if (bytes > 0) console.log(`${path}: ${bytes} bytes, compressed`);
}
