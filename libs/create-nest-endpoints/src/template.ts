import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The applications, packed into the package: path → text. */
const templates = {
  helpdesk: new URL('./template.json', import.meta.url),
  empty: new URL('./empty.json', import.meta.url),
};

/** Writes the files of an application, under a name of its own. */
export async function writeTemplate(
  directory: string,
  name: string,
  which: keyof typeof templates,
): Promise<void> {
  const template = templates[which];
  const files = JSON.parse(await readFile(template, 'utf8')) as Readonly<Record<string, string>>;
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, path === 'package.json' ? named(text, name) : text);
  }
}

function named(manifest: string, name: string): string {
  return `${JSON.stringify({ ...(JSON.parse(manifest) as object), name }, null, 2)}\n`;
}
