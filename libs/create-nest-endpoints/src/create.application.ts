import { basename, relative, resolve } from 'node:path';
import type { Answers } from './answers.js';
import { emptyDirectory } from './empty.directory.js';
import { packageNameOf } from './package.name.js';
import { runIn } from './run.in.js';
import { writeTemplate } from './template.js';

/** Makes the application. @throws Refusal for a directory that has something in it */
export async function createApplication({ directory, install, git, isEmpty }: Answers): Promise<void> {
  const path = resolve(directory);
  await emptyDirectory(path, directory);
  await writeTemplate(path, packageNameOf(basename(path)), isEmpty ? 'empty' : 'helpdesk');
  if (git) await runIn(path, 'git', ['init', '--quiet']);
  const isInstalled = install && (await runIn(path, 'npm', ['install', '--no-audit', '--no-fund']));
  const commands = isInstalled ? ['npm start'] : ['npm install', 'npm start'];
  const here = relative('', path);
  const all = here === '' ? commands : [`cd ${here}`, ...commands];
  process.stdout.write(`\n${isEmpty ? 'The application' : 'The help desk'} is there. Next:\n\n${lines(all)}`);
  process.stdout.write(isEmpty ? firstEndpoint : firstRequest);
}

function lines(commands: readonly string[]): string {
  return commands.map((command) => `  ${command}\n`).join('');
}

const firstRequest = `
and in another terminal:

  ANN=$(npm run --silent token -- ann acme)
  curl 'http://127.0.0.1:3000/teams' -H "Authorization: Bearer $ANN" \\
    -H 'Content-Type: application/json' -d '{"name": "Printers"}'
`;

const firstEndpoint = `
The first endpoints:

  npx nest g -c @nest-endpoints/core endpoint city
`;
