/** The names of an entity in its files. */
export interface EndpointNames {
  /** `largest-city`, of files. */
  readonly file: string;
  /** `LargestCity`. */
  readonly class: string;
  /** `largestCity`. */
  readonly variable: string;
  /** `largest-cities`. */
  readonly url: string;
}

/** @throws Error for a name without a letter at its beginning */
export function endpointNamesOf(name: string): EndpointNames {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const capitalised = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  if (!/^\p{L}/u.test(capitalised)) throw new Error(`'${name}' is no name of an entity`);
  const file = words.join('-');
  return {
    file,
    class: capitalised,
    variable: capitalised.charAt(0).toLowerCase() + capitalised.slice(1),
    url: pluralOf(file),
  };
}

/** Makes the plural in English, near enough: the url is looked at first and changed where it is wrong. */
function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
