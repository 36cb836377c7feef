import type { Node } from 'libpg-query';
import { codePoints, positionOf } from '../sources/text.position.js';
import type { SourceText } from '../sources/source.text.js';

/** One statement of the target schema. */
export class SqlStatement {
  constructor(
    readonly source: SourceText,
    /** How many code points of the source stand before it. */
    private readonly before: number,
    readonly text: string,
    /** What PostgreSQL's own parser made of it. */
    readonly node: Node,
  ) {}

  /**
   * `file:line:column` of a place in it, as editors count.
   *
   * @param characters how many code points of the statement stand before the place
   */
  at(characters = 0): string {
    const { line, column } = positionOf(this.source.text, this.before + characters);
    return `${this.source.name}:${line}:${column}`;
  }

  /** {@link at} for a place that the parser counted, in bytes of the whole source. */
  atByte(bytes: number | undefined): string {
    if (bytes === undefined) return this.at();
    const before = codePoints(Buffer.from(this.source.text).subarray(0, bytes).toString());
    return this.at(before - this.before);
  }
}
