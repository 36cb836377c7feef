import { setImmediate as turn } from 'node:timers/promises';
import type { CastingFunction, Parser } from 'csv-parse';
import type { ColumnType } from '../../model/column.type.js';
import { BadRequest } from '../../wire/refusals.js';
import { csvParser } from './csv.packages.js';
import { lineTooLong, longestLine, tooLong, type ImportLine, type LineReader } from './import.line.js';
import { utf8Chunks } from './utf8.chunks.js';

/** The cells of a line; null for an empty one without quotes. */
type Cells = readonly (string | null)[];

/** A column of a table: its name, and the type that reads its cells. */
type HeadedColumn = readonly [name: string, type: ColumnType];

/** The reasons why the rest of a table cannot be read, by the parser's codes. */
const problems: ReadonlyMap<unknown, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'a quote is not closed'],
  ['CSV_INVALID_CLOSING_QUOTE', 'a quote stands where none may'],
  ['INVALID_OPENING_QUOTE', 'a quote stands where none may'],
  ['CSV_MAX_RECORD_SIZE', lineTooLong],
]);

const settings = {
  bom: true,
  // A file that several programs have written may have several ends of lines.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // The parser makes an error of each that it gives, with its stack: that takes longer than a record.
  skip_empty_lines: true,
  max_record_size: longestLine,
  // All that is read of a chunk is taken at once.
  readableHighWaterMark: Number.MAX_SAFE_INTEGER,
};

/** The bytes that are parsed at once: others are kept out for as long as that takes. */
const sliceBytes = 4096;

/** The milliseconds that parsing may go on for before others have their turn. */
const longestTurn = 10;

/** Makes the reader of a table whose first line has the names of columns. @param types those that it may name */
export function csvReader(types: ReadonlyMap<string, ColumnType>): LineReader {
  const parse = csvParser();
  return async function* (chunks) {
    const table = new Table(types);
    const parser = parse({ ...settings, cast: table.cellOf });
    // What is wrong with a slice is told where it is written.
    parser.on('error', () => undefined);
    try {
      for await (const slice of slicesOf(utf8Chunks(chunks))) {
        const failure = parsed((done) => parser.write(slice, done));
        const lines = table.linesOf(parser, slice.length);
        if (lines.length > 0) yield lines;
        table.check();
        await failure;
      }
      const failure = parsed((done) => {
        parser.once('end', done).once('error', done).end();
      });
      await turn();
      yield table.linesOf(parser, 0, true);
      parser.resume();
      await failure;
      table.end();
    } catch (error) {
      throw table.refusalOf(error);
    } finally {
      parser.destroy();
    }
  };
}

/** Gives the same bytes in short pieces, and others their turn between them. */
async function* slicesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let since = performance.now();
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      yield chunk.subarray(at, at + sliceBytes);
      if (performance.now() - since < longestTurn) continue;
      await turn();
      since = performance.now();
    }
}

function parsed(work: (done: (error?: Error | null) => void) => void): Promise<void> {
  const failure = new Promise<void>((resolve, reject) => {
    work((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
  // It is waited for once the lines before it are taken.
  failure.catch(() => undefined);
  return failure;
}

function* cellsIn(parser: Parser): Generator<Cells, void, undefined> {
  for (;;) {
    const cells = parser.read() as Cells | null;
    if (cells === null) return;
    yield cells;
  }
}

/** A table on its way: its columns, once the first line is read, and how far it is read. */
class Table {
  #columns: readonly HeadedColumn[] | undefined;
  #next = 1;
  /** The bytes of the line that has not ended. The parser counts those of cells alone. */
  #open = 0;
  /** The number of empty lines that came before each record that is being read. */
  readonly #blanksBefore: number[] = [];
  #blanks = 0;

  constructor(private readonly types: ReadonlyMap<string, ColumnType>) {}

  /** Gives a cell as it stands. An empty text is one only where it is written as such. */
  readonly cellOf: CastingFunction = (value, { quoting, index, empty_lines: blanks }) => {
    if (index === 0) this.#blanksBefore.push(blanks);
    return value === '' && !quoting ? null : value;
  };

  /** @param bytes the number of those that were parsed since the last time */
  linesOf(parser: Parser, bytes: number, isEnd = false): ImportLine[] {
    const lines: ImportLine[] = [];
    this.#open += bytes;
    for (const cells of cellsIn(parser)) {
      this.#open = 0;
      this.#passBlanks(this.#blanksBefore.shift() ?? this.#blanks, lines);
      const line = this.#next;
      this.#next += 1 + breaksIn(cells);
      if (this.#columns === undefined) this.#columns = this.#headed(cells, line);
      else lines.push(lineOf(line, this.#columns, cells));
    }
    // The parser counts what follows the last end of a line, too.
    this.#passBlanks(parser.info.empty_lines - (isEnd ? 1 : 0), lines);
    return lines;
  }

  /** Goes past empty lines. Of a table of one column each is a record without a value. */
  #passBlanks(count: number, lines: ImportLine[]): void {
    if (count <= this.#blanks) return;
    this.#open = 0;
    for (; this.#blanks < count; this.#blanks += 1) {
      if (this.#columns?.length === 1) lines.push(lineOf(this.#next, this.#columns, [null]));
      this.#next += 1;
    }
  }

  /** Judges the line that has not ended. @throws BadRequest where it is too long */
  check(): void {
    if (this.#open > longestLine) throw tooLong(this.#next);
  }

  /** @throws BadRequest where there was no line */
  end(): void {
    if (this.#columns === undefined) throw new BadRequest('The first line must have the names of columns');
  }

  refusalOf(error: unknown): unknown {
    const problem = problems.get(Reflect.get(Object(error) as object, 'code'));
    return problem === undefined ? error : new BadRequest(`line ${this.#next}: ${problem}`, { cause: error });
  }

  /** @throws BadRequest for a name that is unknown, or stands twice */
  #headed(cells: Cells, line: number): readonly HeadedColumn[] {
    const columns = new Map<string, ColumnType>();
    for (const cell of cells) {
      const name = cell ?? '';
      const type = this.types.get(name);
      if (type === undefined) {
        const shown = JSON.stringify(name.slice(0, 100));
        throw new BadRequest(`line ${line}: ${shown} is not one of: ${[...this.types.keys()].join(', ')}`);
      }
      if (columns.has(name)) throw new BadRequest(`line ${line}: '${name}' stands twice`);
      columns.set(name, type);
    }
    return [...columns];
  }
}

/** An empty cell is a value that is not sent. */
function lineOf(line: number, columns: readonly HeadedColumn[], cells: Cells): ImportLine {
  if (cells.length !== columns.length) {
    const problem = `the line has ${cells.length} cells, the first one ${columns.length}`;
    return { line, size: cells.length, members: undefined, problem };
  }
  const members = new Map<string, unknown>();
  let size = 0;
  for (const [index, [name, type]] of columns.entries()) {
    const cell = cells[index];
    if (cell === undefined || cell === null) continue;
    size += cell.length;
    members.set(name, type.fromText(cell));
  }
  return { line, size, members };
}

/** The number of line breaks within cells. */
function breaksIn(cells: Cells): number {
  let count = 0;
  for (const cell of cells) {
    if (cell === null) continue;
    for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) count += 1;
  }
  return count;
}
