/** The casings of the contract (Parameters shared by endpoint kinds: `internal_casing`, `external_casing`). */
export const casings = ['snake_case', 'camelCase', 'TitleCase'] as const;

/** The way in which the words of a name are put together. */
export type Casing = (typeof casings)[number];

/** The endings of schema names in generated documents, where a casing is not the contract's own. */
export const casingSuffixes = {
  snake_case: '',
  camelCase: 'CamelCase',
  TitleCase: 'TitleCase',
} as const satisfies Record<Casing, string>;

const joiners = {
  snake_case: (words) => words.map(lower).join('_'),
  camelCase: (words) => words.map((word, index) => (index === 0 ? lower(word) : capitalise(word))).join(''),
  TitleCase: (words) => words.map(capitalise).join(''),
} satisfies Record<Casing, (words: readonly string[]) => string>;

/**
 * Gives the name in another casing. Only called while the application starts: a request looks names up in a {@link
 * NameTable}, because a name cannot always be computed back (`line1` and `line_1` have one camelCase).
 */
export function recase(name: string, from: Casing, to: Casing): string {
  return from === to ? name : joiners[to](wordsOf(name));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .split('_')
    .filter((word) => word !== '');
}

function lower(word: string): string {
  return word.toLowerCase();
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}
