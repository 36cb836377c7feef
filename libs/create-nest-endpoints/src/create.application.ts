import { basename, relative, resolve } from 'node:path';
import type { Answers } from './answers.js';
import { emptyDirectory } from './empty.directory.js';
import { packageNameOf } from './package.name.js';
import { runIn } from './run.in.js';
import { writeTemplate } from './template.js';

/** Makes the application. @throws Refusal for a directory that has something in it */
export async function createApplication({ directory, install, git }: Answers): Promise<void> {
  const path = resolve(directory);
  await emptyDirectory(path, directory);
  await writeTemplate(path, packageNameOf(basename(path)));
  if (git) await runIn(path, 'git', ['init', '--quiet']);
  const isInstalled = install && (await runIn(path, 'npm', ['install', '--no-audit', '--no-fund']));
  process.stdout.write(nextSteps(relative('', path), isInstalled));
}

function nextSteps(path: string, isInstalled: boolean): string {
  return `
The help desk is there. Next:

${path === '' ? '' : `  cd ${path}\n`}${isInstalled ? '' : '  npm install\n'}  npm start

and in another terminal:

  ANN=$(npm run --silent token -- ann acme)
  curl 'http://127.0.0.1:3000/teams' -H "Authorization: Bearer $ANN" \\
    -H 'Content-Type: application/json' -d '{"name": "Printers"}'
`;
}
