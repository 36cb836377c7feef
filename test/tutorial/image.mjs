// Carries out a Dockerfile in directories, as far as the one of the tutorial goes: a stage is a directory, its commands
// run with the Node of this machine. What it knows no word for is an error, so that the check does not grow stale.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';

/** In milliseconds; an installation from a cold cache takes the longest. */
const patience = 300_000;

/**
 * @param {string} context the directory of the application
 * @param {string} place where the stages go
 * @param {NodeJS.ProcessEnv} env of its commands
 * @returns {Promise<{ directory: string, command: string[], env: Record<string, string> }>} what a container would run
 */
export async function buildImage(context, place, env) {
  const stages = new Map();
  const ignored = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n').filter(Boolean);
  let stage;
  for (const [word, rest] of instructionsOf(await readFile(join(context, 'Dockerfile'), 'utf8'))) {
    if (word === 'FROM') {
      const [, base, name = 'image'] = /^(\S+)(?: AS (\S+))?$/.exec(rest);
      if (!/^node:\d+-slim$/.test(base)) throw new Error(`Nothing is known of ${base}`);
      stage = { root: join(place, name), directory: '/', env: {}, command: [] };
      stages.set(name, stage);
    } else await instructions[word](stage, rest, { context, ignored, stages, env });
  }
  return { directory: inside(stage), command: stage.command, env: stage.env };
}

/** @param {string} text */
function* instructionsOf(text) {
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, word, rest] = /^([A-Z]+) (.+)$/.exec(line);
    if (word !== 'FROM' && !Object.hasOwn(instructions, word)) throw new Error(`Nothing is known of ${line}`);
    yield [word, rest];
  }
}

const instructions = {
  async WORKDIR(stage, path) {
    stage.directory = path;
    await mkdir(inside(stage), { recursive: true });
  },
  async COPY(stage, rest, { context, ignored, stages }) {
    const [, from, words] = /^(?:--from=(\S+) )?(.+)$/.exec(rest);
    const sources = words.split(' ');
    const target = join(inside(stage), sources.pop());
    const isMany = sources.length > 1 || rest.endsWith('/');
    for (const source of sources) {
      const path = join(from === undefined ? context : stages.get(from).root, source);
      const goesAlong = (one) =>
        from !== undefined || !ignored.includes(relative(context, one).split('/')[0]);
      const to = source === '.' || !isMany ? target : join(target, basename(source));
      // Links of node_modules/.bin stay as short as they are: the directory goes as a whole.
      await cp(path, to, { recursive: true, verbatimSymlinks: true, filter: goesAlong });
    }
  },
  async RUN(stage, command, { env }) {
    const run = (text) =>
      promisify(execFile)('sh', ['-c', text], { cwd: inside(stage), env, timeout: patience });
    await run(command).catch((error) => {
      if (command !== 'npm ci' || !isRegistryBehind(error)) throw error;
      console.log(
        '        npm install for npm ci: the registry lacks packages of other platforms at this moment',
      );
      return run('npm install --no-save');
    });
  },
  ENV(stage, settings) {
    for (const setting of settings.split(' ')) {
      const [name, value] = setting.split('=');
      stage.env[name] = value;
    }
  },
  // For a container alone.
  USER: () => undefined,
  EXPOSE: () => undefined,
  CMD(stage, words) {
    stage.command = JSON.parse(words);
  },
};

/**
 * A registry may offer a package before those that it has for each platform. npm leaves these out of the lock file then,
 * without a word, and `npm ci` misses them: without a version, because nobody knows one.
 */
function isRegistryBehind({ stderr }) {
  const missed = [...stderr.matchAll(/^npm error (?:Missing|Invalid): (.+)$/gm)].map(([, what]) => what);
  return missed.length > 0 && missed.every((what) => /^\S+@ from lock file$/.test(what));
}

function inside({ root, directory }) {
  return join(root, directory);
}
