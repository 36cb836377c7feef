import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import typescript from 'typescript';

/** What no test looks at. */
const left = /^(bench|docs)\//;

/** What the admin page is made of. Its tests build it where it is not built. */
const ofPage = /^libs\/(admin\/page|client|react-admin)\//;

/**
 * A copy of the tree, so that a mutant never stands in the tree itself. Packages are those of the tree; what is in it
 * but not committed is copied as well.
 */
export class CopiedTree {
  /** @param name tells copies of one tree apart that are used side by side */
  constructor(root, name) {
    this.root = root;
    const place = createHash('sha256').update(root).digest('hex').slice(0, 8);
    this.path = join(tmpdir(), `nest-endpoints-mutations-${place}-${name}`);
  }

  make() {
    rmSync(this.path, { recursive: true, force: true });
    const listed = ['ls-files', '--cached', '--others', '--exclude-standard'];
    const files = execFileSync('git', listed, { cwd: this.root, encoding: 'utf8', maxBuffer: 2 ** 26 });
    for (const file of files.split('\n')) if (file !== '' && !left.test(file)) this.#copy(file);
    for (const library of readdirSync(join(this.root, 'libs')))
      for (const part of ['dist', 'node_modules']) this.#copy(`libs/${library}/${part}`);
    this.#copy('test/node_modules');
    this.#linkPackages();
  }

  write(file, text) {
    writeFileSync(join(this.path, file), text);
    if (ofPage.test(file)) rmSync(join(this.path, 'libs/admin/dist/page'), { recursive: true, force: true });
  }

  /** Builds a file of a library anew: processes of their own, such as commands, run what is built. */
  build(file, text) {
    const built = join(this.path, file.replace(/^(libs\/[^/]+)\/src\/(.+)\.ts$/, '$1/dist/$2.js'));
    if (built === join(this.path, file) || !existsSync(built)) return;
    const { compilerOptions } = JSON.parse(readFileSync(join(this.root, 'tsconfig.base.json'), 'utf8'));
    const { options } = typescript.convertCompilerOptionsFromJson(
      { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler', sourceMap: false },
      this.root,
    );
    const { outputText } = typescript.transpileModule(text, { fileName: file, compilerOptions: options });
    writeFileSync(built, outputText);
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }

  #copy(file) {
    const from = join(this.root, file);
    if (!existsSync(from)) return;
    mkdirSync(dirname(join(this.path, file)), { recursive: true });
    cpSync(from, join(this.path, file), { recursive: true, verbatimSymlinks: true });
  }

  /** Ours lead into the copy, all others to the packages of the tree. */
  #linkPackages() {
    const from = join(this.root, 'node_modules');
    const to = join(this.path, 'node_modules');
    mkdirSync(join(to, '@nest-endpoints'), { recursive: true });
    for (const name of readdirSync(from))
      if (name !== '@nest-endpoints' && name !== '.cache') symlinkSync(join(from, name), join(to, name));
    for (const name of readdirSync(join(from, '@nest-endpoints'))) {
      const { workspace } = workspaceOf(this.root, name);
      if (workspace !== undefined) symlinkSync(join(this.path, workspace), join(to, '@nest-endpoints', name));
    }
  }
}

function workspaceOf(root, name) {
  const places = [`libs/${name}`, `apps/${name}`, name];
  const workspace = places.find((place) => {
    const file = join(root, place, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === `@nest-endpoints/${name}`;
  });
  return { workspace };
}
