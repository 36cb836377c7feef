import { MetadataManager } from '@nestjs/schematics';

/** An addition to a root module: an import, and an entry of `imports`. */
export interface Addition {
  /** The lines that import what the entry names. */
  readonly importLines: readonly string[];
  readonly entry: string;
}

/** The text of a module file with an addition. @throws Error where there is no `@Module` that can be read */
export function withAddition(text: string, { importLines, entry }: Addition): string {
  const imported = importLines.reduce(withImport, text);
  const isFirst = !/\bimports:\s*\[\s*[^\s\]]/.test(imported);
  const added = new MetadataManager(imported).insert('imports', isFirst ? `\n    ${entry},\n  ` : entry);
  if (added === undefined) throw new Error('the file has no @Module({ … }) that can be read');
  return added;
}

/** Behind the last import, whichever lines that has. */
function withImport(text: string, line: string): string {
  if (text.includes(line)) return text;
  const found = [...text.matchAll(/^import\s[^;]*?from\s+['"][^'"]+['"];?[^\S\n]*$/gm)].at(-1);
  if (found === undefined) return `${line}\n${text}`;
  const end = found.index + found[0].length;
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}
