/** True if a word stands anywhere in a text: what is taken by mistake costs a longer name. */
function isTaken(text: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\w$])${name.replaceAll('$', String.raw`\$`)}(?![\w$])`).test(text);
}

/** Gives the first name that a text does not have; with a number where it has them all. */
export function freeName(text: string, [first, ...others]: readonly [string, ...string[]]): string {
  const found = [first, ...others].find((name) => !isTaken(text, name));
  if (found !== undefined) return found;
  const last = others.at(-1) ?? first;
  for (let number = 2; ; number += 1) if (!isTaken(text, `${last}${number}`)) return `${last}${number}`;
}

/** An imported name, under another where a file has that one already. */
export interface ImportedName {
  readonly exported: string;
  readonly local: string;
}

/** Writes the line that imports a name. */
export function importLine({ exported, local }: ImportedName, from: string): string {
  return `import { ${exported === local ? exported : `${exported} as ${local}`} } from '${from}';`;
}

/** The first name that a file imports from another one; undefined where it imports none. */
export function importedIn(text: string, from: string): string | undefined {
  const imports = text.matchAll(/\bimport\s*\{\s*([\w$]+)[^}]*\}\s*from\s*['"]([^'"]+)['"]/g);
  return [...imports].find(([, , path]) => path === from)?.[1];
}

/** Lists the names of values that a file exports. */
export function exportedNames(text: string): readonly string[] {
  const declared = text.matchAll(/^export\s+(?:abstract\s+)?(?:class|const|let|var)\s+([\w$]+)/gm);
  const listed = [...text.matchAll(/^export\s*\{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','));
  return [
    ...[...declared].map(([, name = '']) => name),
    ...listed.flatMap((one) => /([\w$]+)\s*$/.exec(one.replace(/^\s*type\s.*/, ''))?.[1] ?? []),
  ];
}

/**
 * Finds the entity that a file exports: the one with the name, the one of Nest's naming, else the one that MikroORM makes.
 *
 * @throws Error where there is none
 */
export function exportedEntity(path: string, text: string, name: string): string {
  const names = exportedNames(text);
  const made =
    /@Entity\([^]*?\bclass\s+([\w$]+)|\bconst\s+([\w$]+)\s*=\s*(?:defineEntity\b|new\s+EntitySchema\b)/.exec(
      text,
    );
  const [found] = [
    name,
    `${name}Entity`,
    made?.[1] ?? made?.[2],
    names.length === 1 ? names[0] : undefined,
  ].filter((one) => one !== undefined && names.includes(one));
  if (found === undefined)
    throw new Error(`${path} exports no entity with the name ${name} or ${name}Entity`);
  return found;
}
