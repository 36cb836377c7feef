import type { Tree } from '@angular-devkit/schematics';

/** A project's files, as far as schematics care. */
export class ProjectFiles {
  constructor(private readonly tree: Tree) {}

  /** ES modules name files with their ending. */
  get ending(): '.js' | '' {
    const { type } = JSON.parse(this.text('package.json') ?? '{}') as { readonly type?: unknown };
    return type === 'module' ? '.js' : '';
  }

  /** True if the application uses a package. */
  has(name: string): boolean {
    const { dependencies = {} } = JSON.parse(this.text('package.json') ?? '{}') as {
      readonly dependencies?: object;
    };
    return Object.hasOwn(dependencies, name);
  }

  text(path: string): string | undefined {
    return this.tree.read(path)?.toString('utf8');
  }

  /** Writes a file that is not there yet. @returns whether it did */
  create(path: string, text: string): boolean {
    if (this.tree.exists(path)) return false;
    this.tree.create(path, text);
    return true;
  }

  overwrite(path: string, text: string): void {
    if (this.text(path) !== text) this.tree.overwrite(path, text);
  }

  /** The first file below a folder with this name, beginning with the nearest ones. */
  find(folder: string, name: string): string | undefined {
    const here = `${folder}/${name}`;
    if (this.tree.exists(here)) return here;
    for (const { path } of this.tree
      .getDir(folder)
      .subdirs.map((part) => this.tree.getDir(folder).dir(part))) {
      const found = this.find(path.replace(/^\//, ''), name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All files below a folder with names that end so. */
  endingWith(folder: string, end: string): readonly string[] {
    const found: string[] = [];
    this.tree.getDir(folder).visit((path) => {
      if (path.endsWith(end)) found.push(path.replace(/^\//, ''));
    });
    return found;
  }

  /** Adds packages that no list of package.json has. @returns whether there were any */
  require(kind: 'dependencies' | 'devDependencies', versions: Readonly<Record<string, string>>): boolean {
    const manifest = JSON.parse(this.text('package.json') ?? '{}') as Partial<
      Record<string, Record<string, string>>
    >;
    const known = { ...manifest['dependencies'], ...manifest['devDependencies'] };
    const missing = Object.entries(versions).filter(([name]) => !Object.hasOwn(known, name));
    if (missing.length === 0) return false;
    const all = { ...manifest[kind], ...Object.fromEntries(missing) };
    const sorted = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    this.overwrite('package.json', `${JSON.stringify({ ...manifest, [kind]: sorted }, null, 2)}\n`);
    return true;
  }
}
