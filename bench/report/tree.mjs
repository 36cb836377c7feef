import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/** The commit that is measured, with a `+` where files of the library or the benchmark differ from it. */
export function treeNow() {
  try {
    const commit = git('rev-parse', '--short', 'HEAD');
    return git('status', '--porcelain', '--', 'libs', 'bench') === '' ? commit : `${commit}+`;
  } catch {
    return 'unknown'; // A copy without its history.
  }
}
