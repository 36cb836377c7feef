// Goes through docs/tutorial.md in an empty directory, with the packages as npm would publish them: writes its files, runs
// its commands, compares its answers. What comes out is apps/helpdesk, word for word (`-- --update` writes it), and
// `npm create nest-endpoints` makes the same. Run by `npm run tutorial`, which builds first. Prints a line per step; the
// exit code tells.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repo } from '../packages/command.mjs';
import { step } from '../packages/step.mjs';
import { packedLibraries } from '../packages/tarballs.mjs';
import { compareFiles, copyFiles, filesOf } from './application.files.mjs';
import { Container } from './container.mjs';
import {
  createCommand,
  expectEmptyApplication,
  expectRefusal,
  expectSameApplication,
  occupy,
} from './created.application.mjs';
import { readersEnvironment } from './environment.mjs';
import { startRegistry } from './registry.mjs';
import { expectOnMariaDb } from './mariadb.desk.mjs';
import { readTutorial } from './tutorial.page.mjs';
import { TutorialRun } from './tutorial.run.mjs';

const helpdesk = join(repo, 'apps/helpdesk');
const isUpdate = process.argv.includes('--update');

const place = await mkdtemp(join(tmpdir(), 'nest-endpoints-tutorial-'));
const letGo = [() => rm(place, { recursive: true, force: true, maxRetries: 5 })];
try {
  const tarballs = await step('pack the packages', () => packedLibraries(place));
  const registry = await startRegistry(tarballs);
  letGo.push(() => registry.close());
  const env = await readersEnvironment(place, registry.url);
  const container = new Container({ context: join(place, 'created/desk'), place: join(place, 'image'), env });
  letGo.push(() => container.close());
  const creator = tarballs.find(({ manifest }) => manifest.name === 'create-nest-endpoints');
  const create = createCommand(place, env, creator.path);
  await followPage(env, container, create);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const act of letGo.reverse()) await act();
}

/**
 * Where the page comes to the image, the application is whole: it is compared, created in the other way, and the image is
 * made of the one that was created.
 * @param {NodeJS.ProcessEnv} env
 * @param {Container} container
 * @param {ReturnType<typeof createCommand>} create
 */
async function followPage(env, container, create) {
  let published;
  const run = await TutorialRun.begin(place, env, async (port) => {
    published = port;
    await createApplications(create);
    return step('build its image and start it on PostgreSQL', () => container.start(port));
  });
  letGo.push(() => run.close());
  for (const { title, steps } of await readTutorial(join(repo, 'docs/tutorial.md'))) {
    const image = steps.findIndex(({ command = '' }) => /\bdocker compose up\b/.test(command));
    const [before, after] = image === -1 ? [steps, []] : [steps.slice(0, image), steps.slice(image)];
    await step(title, () => takeAll(run, before));
    if (after.length === 0) continue;
    const made = await run.directory();
    if (isUpdate) return copyFiles(made, (await filesOf(made)).keys(), helpdesk);
    await step('it is apps/helpdesk', async () => {
      compareFiles(await filesOf(made), await filesOf(helpdesk), {
        made: 'the tutorial',
        kept: 'apps/helpdesk',
      });
    });
    await step('it runs on MariaDB with another database.module.ts', () => expectOnMariaDb(made, place, env));
    await step('its compose.yaml can be read', () => readCompose(made));
    await takeAll(run, after);
    await step('the container knows its identity provider and its database', () =>
      container.serve(published),
    );
  }
}

async function takeAll(run, steps) {
  for (const one of steps) await run.take(one);
}

/** Whatever can be said to the command without an installation comes first. @param {ReturnType<typeof createCommand>} create */
async function createApplications(create) {
  const kept = await filesOf(helpdesk);
  await step('npm create nest-endpoints tells what it takes, and refuses the rest', async () => {
    const { stdout } = await create.run('--help');
    if (!/--no-install/.test(stdout)) throw new Error(stdout);
    const isUntouched = await occupy(join(create.cwd, 'taken'));
    await expectRefusal(create, /taken is not empty/, 'taken');
    await isUntouched();
    await expectRefusal(create, /directory/, '--no-install');
    await expectRefusal(create, /--colour/, 'desk', '--colour');
    await expectRefusal(create, /2 directories/, 'one', 'two');
  });
  await step('npm create nest-endpoints asks', async () => {
    await create.type(String.raw`asked\nno\ny\n`);
    await expectSameApplication(join(create.cwd, 'asked'), 'asked', kept);
  });
  await step('npm create nest-endpoints bare --empty', async () => {
    await create.run('bare', '--empty');
    await expectEmptyApplication(join(create.cwd, 'bare'), 'bare', kept, create.env);
  });
  await step('npm create nest-endpoints desk', async () => {
    await create.run('desk');
    await expectSameApplication(join(create.cwd, 'desk'), 'desk', kept);
  });
}

/** The plugin of Docker, or the program of its own that Debian has. In CI one of them is there. @param {string} directory */
async function readCompose(directory) {
  const env = { ...process.env, JWKS_URL: 'https://login.example/keys.json' };
  const config = ['config', '--quiet'];
  const isPlugin = await promisify(execFile)('docker', ['compose', 'version']).then(
    () => true,
    () => false,
  );
  const [program, words] = isPlugin ? ['docker', ['compose', ...config]] : ['docker-compose', config];
  await promisify(execFile)(program, words, { cwd: directory, env }).catch((error) => {
    if (error.code !== 'ENOENT' || process.env.CI) throw error;
    console.log('        not looked at: there is no docker compose');
  });
}
