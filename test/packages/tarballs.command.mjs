// Packs the packages into the directory that `TARBALLS` names, for `npm run pack:test` and `npm run tutorial`, which take what is
// there. Run by `npm run pack`.
import { packedLibraries } from './tarballs.mjs';

if (!process.env.TARBALLS) throw new Error('TARBALLS names no directory');
for (const { path } of await packedLibraries('')) console.log(path);
