import { BadRequest } from '../../wire/refusals.js';

/** A line of an import: a record as a client sent it, or the reason why it cannot be read as one. */
export interface ImportLine {
  /** The number of the line of the body on which it begins, from 1. */
  readonly line: number;
  /** The number of bytes or characters that it is of, about. */
  readonly size: number;
  /** The values by the names that the client wrote; undefined where the line is none. */
  readonly members: ReadonlyMap<string, unknown> | undefined;
  /** The reason why it is none. */
  readonly problem?: string;
}

/** The longest line, in bytes: what is held of a body beside it is little. */
export const longestLine = 4_194_304;

/** The sentence about a line that is too long. */
export const lineTooLong = `a line must not be longer than ${longestLine} bytes`;

/** Makes the refusal of a line that is too long. */
export function tooLong(line: number): BadRequest {
  return new BadRequest(`line ${line}: ${lineTooLong}`);
}

/** Reads the lines of a body, as many at a time as there are. @throws BadRequest where the rest cannot be read */
export type LineReader = (
  chunks: AsyncIterable<Buffer>,
) => AsyncGenerator<readonly ImportLine[], void, undefined>;
