// Puts the files of apps/helpdesk into the package, as one file: npm would leave out some of them (.gitignore) or take
// them for its own. A second file has the application without what a help desk is about. Run by npm before it packs.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const helpdesk = join(import.meta.dirname, '../../apps/helpdesk');
const empty = join(import.meta.dirname, 'empty');

/** The files of a directory that git does not ignore: path → text. */
function filesOf(cwd) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '.'];
  const listed = execFileSync('git', words, { cwd, encoding: 'utf8' });
  // What npm installs is for the machine where it is installed.
  const paths = listed.split('\0').filter((path) => path !== '' && path !== 'package-lock.json');
  return new Map(paths.sort().map((path) => [path, readFileSync(join(cwd, path), 'utf8')]));
}

/** What the help desk is about. */
const ofHelpDesk = /^(src\/(comment|mail|team|ticket)\/|test\/.*-spec\.ts$)/;

/** Packages that only those files import. */
const packagesOfHelpDesk = ['nodemailer'];

/** MikroORM refuses to start without entities, and migrations to leave no table. */
function withoutEntities(text) {
  const all = `/** Those that modules name. There may be none yet. */
const entities = { autoLoadEntities: true, discovery: { warnWhenNoEntities: false } };

`;
  const guard = `    // Migrations refuse a target without tables: it would be what a wrong path looks like.
    if (this.orm.getMetadata().getAll().size === 0) return;
`;
  const [first, migrate] = ['/** The PostgreSQL server', '    await new Migrator('];
  if (![first, migrate, 'autoLoadEntities: true'].every((part) => text.includes(part)))
    throw new Error('src/database.module.ts of apps/helpdesk is not what it was');
  const loaded = text.replaceAll('autoLoadEntities: true', '...entities');
  return loaded.replace(first, all + first).replace(migrate, guard + migrate);
}

function withoutHelpDesk(files) {
  const kept = [...files].filter(([path]) => !ofHelpDesk.test(path));
  const texts = new Map([...kept, ...filesOf(empty)]);
  const database = 'src/database.module.ts';
  texts.set(database, withoutEntities(texts.get(database)));
  const { dependencies, ...manifest } = JSON.parse(texts.get('package.json'));
  const missing = packagesOfHelpDesk.find((name) => !Object.hasOwn(dependencies, name));
  if (missing !== undefined) throw new Error(`apps/helpdesk has no package ${missing}`);
  const left = Object.entries(dependencies).filter(([name]) => !packagesOfHelpDesk.includes(name));
  const entries = Object.entries(manifest);
  const at = Object.keys(JSON.parse(texts.get('package.json'))).indexOf('dependencies');
  const ordered = Object.fromEntries(entries.toSpliced(at, 0, ['dependencies', Object.fromEntries(left)]));
  texts.set('package.json', `${JSON.stringify(ordered, null, 2)}\n`);
  return new Map([...texts].map(([path, text]) => [path, text.replaceAll('helpdesk', 'app')]));
}

function write(name, files) {
  const sorted = Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(import.meta.dirname, 'dist', name), JSON.stringify(sorted));
}

const files = filesOf(helpdesk);
write('template.json', files);
write('empty.json', withoutHelpDesk(files));
