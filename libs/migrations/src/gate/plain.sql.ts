import { MigrationFailure } from '../migration.failure.js';
import type { SourceText } from '../sources/source.text.js';
import { codePoints, TextPositions } from '../sources/text.position.js';

/** The characters of operators (PostgreSQL, 4.1.3). */
const operators: ReadonlySet<string> = new Set('~!@#^&|`?+-*/%<>=');

const spaces: ReadonlySet<string> = new Set(' \t\n\r\f\v');

/** The most characters of an operator: a name is as long at most (PostgreSQL, NAMEDATALEN). */
const longestOperator = 63;

/**
 * Gives the SQL with a space for each character of a comment. PostgreSQL's lexer looks to the end of a run of operator
 * characters at each of them, in comments as well: text of `/*` or of `+` alone takes it a square of its length. So
 * comments are removed before it reads, and runs longer than any operator are refused. The parsed text is the one that is
 * run, so nothing can hide where this reader and PostgreSQL differ.
 *
 * @throws MigrationFailure
 */
export function plainSql(source: SourceText): string {
  return new PlainSql(source).text();
}

class PlainSql {
  readonly #text: string;
  readonly #pieces: string[] = [];
  /** Up to where the text is in the pieces. */
  #taken = 0;
  #position = 0;
  /** The start of the operator characters that are being read. */
  #run: number | undefined;
  /** A string with escapes goes on in the next one, when nothing but white space with a line end is between them. */
  #afterEscapes: 'none' | 'same line' | 'next line' = 'none';

  constructor(private readonly source: SourceText) {
    this.#text = source.text;
  }

  text(): string {
    while (this.#position < this.#text.length) this.#step();
    return this.#pieces.join('') + this.#text.slice(this.#taken);
  }

  #step(): void {
    const position = this.#position;
    const character = this.#text.charAt(position);
    if (this.#text.startsWith('--', position)) {
      this.#blank(this.#endOfLine(position));
      return;
    }
    if (this.#text.startsWith('/*', position)) {
      this.#blank(this.#endOfComment(position));
      return;
    }
    if (spaces.has(character)) {
      this.#space(character);
      return;
    }
    const isContinued = this.#afterEscapes === 'next line';
    this.#afterEscapes = 'none';
    if (operators.has(character)) this.#operator();
    else if (character === `'`) this.#string(isContinued);
    else if (character === '"') this.#goTo(this.#endOf('"', position + 1));
    else if (character === '$') this.#dollar();
    else if (isDigit(character)) this.#goTo(this.#endOfWord(position, false));
    else if (isLetter(character)) this.#word();
    else this.#goTo(position + 1);
  }

  #goTo(position: number): void {
    this.#position = position;
    this.#run = undefined;
  }

  #space(character: string): void {
    if (this.#afterEscapes === 'same line' && isLineEnd(character)) this.#afterEscapes = 'next line';
    this.#goTo(this.#position + 1);
  }

  #blank(end: number): void {
    const start = this.#position;
    this.#pieces.push(
      this.#text.slice(this.#taken, start),
      ' '.repeat(codePoints(this.#text.slice(start, end))),
    );
    this.#taken = end;
    this.#goTo(end);
  }

  #operator(): void {
    this.#run ??= this.#position;
    this.#position += 1;
    if (this.#position - this.#run > longestOperator) throw this.#failure(this.#run, 'operator too long');
  }

  /** A doubled quote ends one string and begins the next, which makes no difference, but where there are escapes. */
  #string(hasEscapes: boolean): void {
    let end = this.#position + 1;
    if (!hasEscapes) {
      this.#goTo(this.#endOf(`'`, end));
      return;
    }
    for (; end < this.#text.length; end += 1) {
      const character = this.#text.charAt(end);
      const isDoubled = character === `'` && this.#text.charAt(end + 1) === `'`;
      if (character === '\\' || isDoubled) end += 1;
      else if (character === `'`) break;
    }
    this.#goTo(end + 1);
    this.#afterEscapes = 'same line';
  }

  #dollar(): void {
    const start = this.#position;
    const word = isLetter(this.#text.charAt(start + 1)) ? this.#endOfWord(start + 1, false) : start + 1;
    const isQuote = this.#text.charAt(word) === '$';
    this.#goTo(isQuote ? this.#endOf(this.#text.slice(start, word + 1), word + 1) : word);
  }

  #word(): void {
    const start = this.#position;
    const end = this.#endOfWord(start, true);
    this.#goTo(end);
    const isEscaping = this.#text.slice(start, end).toLowerCase() === 'e' && this.#text.charAt(end) === `'`;
    if (isEscaping) this.#string(true);
  }

  #endOfWord(start: number, hasDollars: boolean): number {
    let end = start;
    while (isWordly(this.#text.charAt(end)) || (hasDollars && this.#text.charAt(end) === '$')) end += 1;
    return end;
  }

  #endOf(closing: string, from: number): number {
    const found = this.#text.indexOf(closing, from);
    return found === -1 ? this.#text.length : found + closing.length;
  }

  #endOfLine(start: number): number {
    let end = start;
    while (end < this.#text.length && !isLineEnd(this.#text.charAt(end))) end += 1;
    return end;
  }

  #endOfComment(start: number): number {
    const ends = /\/\*|\*\//g;
    ends.lastIndex = start;
    let depth = 0;
    for (let found = ends.exec(this.#text); found !== null; found = ends.exec(this.#text)) {
      depth += found[0] === '/*' ? 1 : -1;
      if (depth === 0) return ends.lastIndex;
    }
    throw this.#failure(start, 'unterminated /* comment');
  }

  #failure(position: number, problem: string): MigrationFailure {
    const { line, column } = new TextPositions(this.#text).at(codePoints(this.#text.slice(0, position)));
    return new MigrationFailure(`${this.source.name}:${line}:${column}: ${problem}`);
  }
}

function isLineEnd(character: string): boolean {
  return character === '\n' || character === '\r';
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** True if a name can begin with the character. Everything outside of ASCII counts as a letter. */
function isLetter(character: string): boolean {
  return /^[a-z_]$/i.test(character) || character > '\u007f';
}

function isWordly(character: string): boolean {
  return character !== '' && (isLetter(character) || isDigit(character));
}
