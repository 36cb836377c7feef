const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** Gives the texts of the elements of an array, each without white space around its tokens: numbers keep their digits. */
export function elementsOf(json: string): readonly string[] {
  return partsOf(json).map((words) => words.join(''));
}

/** Gives the texts of the members of an object, by their names; none of what is no object. */
export function membersOf(json: string): ReadonlyMap<string, string> {
  const parts = json.trimStart().startsWith('{') ? partsOf(json) : [];
  return new Map(parts.map(([name = '', , ...value]) => [JSON.parse(name) as string, value.join('')]));
}

/** Writes an object of members. */
export function objectOf(members: ReadonlyMap<string, string>): string {
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** The tokens of each part of an array or an object, without the commas between them. */
function partsOf(json: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const [word] of json.matchAll(tokens)) {
    if (word === ']' || word === '}') depth -= 1;
    if (depth === 1 && word === ',') parts.push([]);
    else if (depth > 0) parts.at(-1)?.push(word);
    if (word === '[' || word === '{') depth += 1;
  }
  return parts.filter(({ length }) => length > 0);
}
