import type { CastingFunction, Parser } from 'csv-parse';
import type { ColumnType } from '../../model/column.type.js';
import { BadRequest } from '../../wire/refusals.js';
import { csvParser } from './csv.packages.js';
import { longestLine, type ImportLine, type LineReader } from './import.line.js';
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
  ['CSV_MAX_RECORD_SIZE', `a line must not be longer than ${longestLine} bytes`],
]);

/** An empty text is one only where it is written as such. */
const cellOf: CastingFunction = (value, { quoting }) => (value === '' && !quoting ? null : value);

const settings = {
  bom: true,
  // A file that several programs have written may have several ends of lines.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  max_record_size: longestLine,
  cast: cellOf,
  // All that is read of a chunk is taken at once.
  readableHighWaterMark: Number.MAX_SAFE_INTEGER,
};

/** Makes the reader of a table whose first line has the names of columns. @param types those that it may name */
export function csvReader(types: ReadonlyMap<string, ColumnType>): LineReader {
  const parse = csvParser();
  return async function* (chunks) {
    const parser = parse(settings);
    // What is wrong with a chunk is told where it is written.
    parser.on('error', () => undefined);
    const table = new Table(types);
    try {
      for await (const chunk of utf8Chunks(chunks)) {
        const failure = parsed((done) => parser.write(chunk, done));
        yield table.linesOf(cellsIn(parser));
        await failure;
      }
      const failure = parsed((done) => {
        parser.once('end', done).once('error', done).end();
      });
      await new Promise(setImmediate);
      yield table.linesOf(cellsIn(parser));
      parser.resume();
      await failure;
      table.check();
    } catch (error) {
      throw table.refusalOf(error);
    } finally {
      parser.destroy();
    }
  };
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

  constructor(private readonly types: ReadonlyMap<string, ColumnType>) {}

  linesOf(all: Iterable<Cells>): ImportLine[] {
    const lines: ImportLine[] = [];
    for (const cells of all) {
      const line = this.#next;
      this.#next += 1 + breaksIn(cells);
      // Of a table of one column it is a record without a value.
      if (cells.length === 1 && cells[0] === null && this.#columns?.length !== 1) continue;
      if (this.#columns === undefined) this.#columns = this.#headed(cells, line);
      else lines.push(lineOf(line, this.#columns, cells));
    }
    return lines;
  }

  /** @throws BadRequest where there was no line */
  check(): void {
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
