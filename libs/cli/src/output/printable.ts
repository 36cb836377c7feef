/**
 * Characters that a terminal obeys, or that nobody sees on it: values of a database are nobody's commands. Joiners are a part
 * of words and of emoji.
 */
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** White space that gives a text its lines. */
const space: ReadonlySet<string> = new Set(['\n', '\r', '\t']);

/** Text of one line as it may be shown, e.g. `\u{1b}`. */
export function printable(text: string): string {
  return text.replace(unprintable, escaped);
}

/** Text of lines as it may be shown. */
export function printableLines(text: string): string {
  return text.replace(unprintable, (character) => (space.has(character) ? character : escaped(character)));
}

/** JSON as it may be shown. It stays the same JSON: there, such characters stand within strings alone. */
export function printableJson(json: string): string {
  return json.replace(unprintable, (character) =>
    space.has(character) ? character : jsonEscaped(character),
  );
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function jsonEscaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
