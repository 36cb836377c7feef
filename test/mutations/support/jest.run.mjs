import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A test that fails may say much; its name comes first. */
const mostSaid = 2 ** 20;

/** What a jest leaves that has ended early: it has stopped at the first failure, or could not begin. */
const noReport = { success: false, testResults: [] };

/**
 * Runs test files of a copied tree, one after the other, in a process of its own.
 *
 * @param files names below `test/`, in the order in which they run; all of them when there are none
 * @returns `{ outcome: 'passed' | 'failed' | 'late', report, said }`; `said` is what jest has written for people
 */
export function runJest(tree, files, { limit, env = {}, more = [] }) {
  const outputFile = join(tree.path, 'mutation.results.json');
  rmSync(outputFile, { force: true });
  const words = [
    '--disable-warning=ExperimentalWarning',
    '--experimental-vm-modules',
    join(tree.root, 'node_modules/jest/bin/jest.js'),
    // Some of the options take every word behind them.
    ...files.map((file) => join(tree.path, 'test', file)),
    ...(files.length > 0 ? ['--runTestsByPath'] : []),
    ...['--json', `--outputFile=${outputFile}`, '--silent', '--forceExit'],
    `--cacheDirectory=${tree.path}-jest`,
    ...more,
  ];
  const child = spawn(process.execPath, words, {
    cwd: join(tree.path, 'test'),
    env: { ...process.env, ...env, NODE_OPTIONS: '', MUTATION_TESTS: JSON.stringify(files) },
    stdio: ['ignore', 'ignore', 'pipe'],
    // So that it ends with all that it has started.
    detached: true,
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    if (said.length < mostSaid) said += String(chunk);
  });
  const end = () => process.kill(-child.pid, 'SIGKILL');
  process.once('exit', end);
  return new Promise((resolve) => {
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      end();
    }, limit);
    child.once('close', (code) => {
      clearTimeout(late);
      process.off('exit', end);
      const report = reportIn(outputFile);
      const outcome = isLate ? 'late' : code === 0 && report.success ? 'passed' : 'failed';
      resolve({ outcome, report, said });
    });
  });
}

function reportIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return noReport;
  }
}
