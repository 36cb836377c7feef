import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readPage } from '../docs/page.mjs';
import { freePort } from '../drills/support/free.port.mjs';
import { repo } from '../packages/command.mjs';
import { startMariaDb } from '../support/mariadb.ts';
import { ServiceProcess } from './service.process.mjs';
import { Shell } from './shell.mjs';

const page = join(repo, 'docs/databases.md');

/** The first words of the blocks of the page that a reader needs. */
const begun = { install: 'npm install', module: 'import { MikroORM }', rights: 'create database helpdesk' };

/**
 * Makes a copy of the application one on MariaDB, with what the page of databases says and nothing else: its tests succeed on an
 * empty database, it starts anew on the tables that are there, and its migrations have nothing left to do.
 * @param {string} application
 * @param {string} place
 * @param {NodeJS.ProcessEnv} env
 */
export async function expectOnMariaDb(application, place, env) {
  const { blocks } = await readPage(page);
  const blockOf = (words) => {
    const found = blocks.find(({ text }) => text.startsWith(words));
    if (found === undefined) throw new Error(`docs/databases.md has no block that begins with ${words}`);
    return found.text;
  };
  const desk = join(place, 'desk-on-mariadb');
  await cp(application, desk, { recursive: true, verbatimSymlinks: true });
  await writeFile(join(desk, 'src/database.module.ts'), `${blockOf(begun.module)}\n`);
  const [port, databasePort] = [await freePort(), await freePort()];
  // As other programs: in CI it is there.
  const server = await startMariaDb(place, databasePort).catch((error) => {
    if (error.code !== 'ENOENT' || process.env.CI) throw error;
  });
  if (server === undefined) return console.log('        not tried: there is no MariaDB');
  const url = `mysql://helpdesk:helpdesk@127.0.0.1:${databasePort}/helpdesk`;
  const own = { ...env, DATABASE_URL: url, PORT: String(port) };
  const shell = new Shell(desk, own);
  try {
    await promisify(execFile)('mariadb', [
      '--no-defaults',
      '-uroot',
      `-S${server.socket}`,
      '-e',
      blockOf(begun.rights),
    ]);
    await shell.run(blockOf(begun.install));
    await shell.run('npm run test:e2e');
    await expectSettled(desk, own, port);
  } finally {
    await shell.close();
    await server.stop();
  }
}

/** @param {string} desk @param {NodeJS.ProcessEnv} env @param {number} port */
async function expectSettled(desk, env, port) {
  const service = new ServiceProcess(['npm', 'start'], { cwd: desk, env });
  try {
    await service.listening(port);
    const { status } = await fetch(`http://127.0.0.1:${port}/health`);
    if (status !== 200) throw new Error(`/health answers ${status}`);
    if (/\[Migrator\]/.test(service.log)) throw new Error(`the second start changes tables:\n${service.log}`);
  } finally {
    await service.stop();
  }
}
