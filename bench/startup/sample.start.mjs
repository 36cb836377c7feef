// The sample, as its scripts start it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sample = `${root}apps/sample/`;

/** The words behind `node` of the sample's own script. */
const [, ...startWords] = JSON.parse(readFileSync(`${sample}package.json`, 'utf8')).scripts.start.split(' ');

const run = (program, words, { cwd, env }) =>
  spawn(program, words, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });

/** Compiles the sample, so that no start has to. */
export async function buildSample() {
  const [code] = await once(run(process.execPath, [`${sample}build.mjs`], { cwd: root }), 'exit');
  if (code !== 0) throw new Error('the sample cannot be compiled');
}

/** The address in the greeting of a service that listens. */
function addressOf(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      const found = /listens on (http:\S+)\. /.exec(text);
      if (found !== null) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`the sample ended with ${String(code)}`)));
  });
}

/** Milliseconds from the start of the process to its first answer. */
export async function serviceStart(databaseUrl) {
  const begun = performance.now();
  const env = { DATABASE_URL: databaseUrl, PORT: '0', NODE_ENV: 'production' };
  const child = run(process.execPath, startWords, { cwd: sample, env });
  const ended = once(child, 'exit');
  try {
    const answer = await fetch(`${await addressOf(child)}/countries/FR`);
    if (answer.status !== 200) throw new Error(`the first answer of the sample is a ${answer.status}`);
    await answer.text();
    return performance.now() - begun;
  } finally {
    child.kill();
    await ended;
  }
}

/** Milliseconds that a command takes, as it is typed. */
export async function commandTime(databaseUrl) {
  const begun = performance.now();
  const words = ['run', '--silent', 'cli', '--', 'cities', '--limit=5'];
  const child = run('npm', words, { cwd: root, env: { DATABASE_URL: databaseUrl } });
  child.stdout.resume();
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the command ended with ${String(code)}`);
  return performance.now() - begun;
}
