import type { Node } from 'libpg-query';
import type { SourceText } from '../sources/source.text.js';
import { codePoints, type TextPositions } from '../sources/text.position.js';

/** The place in the parsed source where a statement begins. */
export interface StatementStart {
  /** The number of code points before it. */
  readonly characters: number;
  /** The number of bytes before it. */
  readonly bytes: number;
}

/** One statement of the target schema. */
export class SqlStatement {
  constructor(
    private readonly source: Pick<SourceText, 'name'>,
    private readonly positions: TextPositions,
    private readonly start: StatementStart,
    /** Without comments. */
    readonly text: string,
    /** The tree that PostgreSQL's own parser made. */
    readonly node: Node,
  ) {}

  /**
   * `file:line:column` of a place in it, as editors count.
   *
   * @param characters how many code points of the statement stand before the place
   */
  at(characters = 0): string {
    const { line, column } = this.positions.at(this.start.characters + characters);
    return `${this.source.name}:${line}:${column}`;
  }

  /** {@link at} for a place that the parser counted, in bytes of the whole source. */
  atByte(bytes: number | undefined): string {
    if (bytes === undefined) return this.at();
    const before = Math.max(0, bytes - this.start.bytes);
    return this.at(codePoints(Buffer.from(this.text).subarray(0, before).toString()));
  }
}
