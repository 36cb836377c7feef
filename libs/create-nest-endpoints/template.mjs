// Puts the files of apps/helpdesk into the package, as one file: npm would leave out some of them (.gitignore) or take
// them for its own. Run by npm before it packs.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const helpdesk = join(import.meta.dirname, '../../apps/helpdesk');

const listed = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '.'],
  {
    cwd: helpdesk,
    encoding: 'utf8',
  },
);
// What npm installs is for the machine where it is installed.
const paths = listed.split('\0').filter((path) => path !== '' && path !== 'package-lock.json');
const files = Object.fromEntries(
  paths.sort().map((path) => [path, readFileSync(join(helpdesk, path), 'utf8')]),
);
writeFileSync(join(import.meta.dirname, 'dist/template.json'), JSON.stringify(files));
