import { isRowSecurityViolation, refusalOf } from '../../database/errors/database.error.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { BulkUnitWrites } from '../../records/writes/bulk/bulk.unit.writes.js';
import type { BulkWrites, WrittenCounts } from '../../records/writes/bulk/bulk.writes.js';
import type { RecordInput } from '../../request/record.input.js';
import { InvalidInput, NotAuthorized, Refusal, type InputErrors } from '../../wire/refusals.js';
import type { BulkJudge } from '../bulk/bulk.judge.js';
import type { Chunk, ReadLine } from './import.lines.js';
import { StatementLeft } from '../../records/writes/bulk/statement.left.js';

/** A line that was refused, and why. */
interface RefusedLine {
  readonly line: number;
  readonly error: string;
  readonly inputErrors: InputErrors;
}

/** The outcome of a chunk. */
export interface WrittenChunk {
  readonly counts: WrittenCounts;
  /** In the order of the lines. */
  readonly refused: readonly RefusedLine[];
}

/** The writes of an endpoint that takes lines. */
interface ChunkParts {
  readonly judge: BulkJudge;
  /** Writes by one statement; undefined where only the unit of work can. */
  readonly statement: BulkWrites<EndpointRequest, RecordInput> | undefined;
  readonly unit: BulkUnitWrites<EndpointRequest, RecordInput>;
  /** True if records that are there already are no reason to refuse a line. */
  readonly isUpsert: boolean;
}

const noErrors: InputErrors = new Map();

/**
 * Writes the lines of a chunk: those that are refused are told, all others are written as one. A statement writes them at once;
 * where it cannot, the judge finds the bad lines, and what only the database knows is found by writing halves. A chunk that others
 * undid is tried again, unless what was written before it is undone with it.
 */
export class ChunkWrites {
  constructor(private readonly parts: ChunkParts) {}

  write(request: EndpointRequest, chunk: Chunk): Promise<WrittenChunk> {
    return request.session.repeated(() => this.#once(request, chunk));
  }

  async #once(request: EndpointRequest, chunk: Chunk): Promise<WrittenChunk> {
    const run = new ChunkRun(this.parts, request);
    const sound = chunk.filter(({ problem, input }) => problem === undefined && input.complaints.size === 0);
    await run.refuse(chunk.filter((line) => !sound.includes(line)));
    if (sound.length > 0) await run.write(sound);
    const refused = run.refused.toSorted((one, other) => one.line - other.line);
    return { counts: run.counts, refused };
  }
}

/** The writing of one chunk. */
class ChunkRun {
  counts: WrittenCounts = { created: 0, updated: 0 };
  refused: RefusedLine[] = [];

  constructor(
    private readonly parts: ChunkParts,
    private readonly request: EndpointRequest,
  ) {}

  /** Tells of lines that are refused already, with all that can be said of them. */
  async refuse(lines: Chunk): Promise<void> {
    const { judge } = this.parts;
    const heard = lines.filter((line) => line.problem === undefined && !judge.isRefused([line]));
    if (heard.length > 0) await this.request.session.inside(() => this.#judge(heard));
    for (const line of lines) this.#tell(line, line.problem ?? '');
  }

  async write(lines: Chunk): Promise<void> {
    if (await this.#stated(lines)) return;
    const { counts, refused } = this;
    await this.request.session.inside(async () => {
      Object.assign(this, { counts, refused: [...refused] });
      await this.#piece(lines);
    });
  }

  /** Writes lines by one statement. @returns whether they are written */
  async #stated(lines: Chunk): Promise<boolean> {
    const { statement, isUpsert } = this.parts;
    const { request } = this;
    if (statement === undefined) return false;
    try {
      const written = await request.session.inside(() =>
        isUpsert
          ? statement.upsert(request, lines, (_request, _rows, counts) => counts)
          : statement.create(request, lines, (_request, rows) => newOnes(rows)),
      );
      this.#count(written);
      return true;
    } catch (error) {
      if (error instanceof StatementLeft || isRowSecurityViolation(error)) return false;
      throw error;
    }
  }

  async #piece(lines: Chunk): Promise<void> {
    // Which of them are new is known with the records locked.
    if (this.parts.isUpsert) return this.#half(lines);
    await this.request.session.inside(() => this.#judge(lines));
    for (const line of lines) if (line.input.complaints.size > 0) this.#tell(line, '');
    const open = lines.filter(({ input }) => input.complaints.size === 0);
    if (open.length === lines.length) await this.#half(open);
    else await this.#rest(open);
  }

  /** Writes what is left of a chunk. */
  async #rest(lines: Chunk): Promise<void> {
    if (lines.length > 0 && !(await this.#stated(lines))) await this.#half(lines);
  }

  /** Writes judged lines; those that the database refuses are found by writing halves. */
  async #half(lines: Chunk): Promise<void> {
    try {
      this.#count(await this.request.session.inside(() => this.#written(lines)));
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === undefined) throw error;
      const bad = lines.filter(({ input }) => input.complaints.size > 0);
      const [only, ...others] = lines;
      if (only !== undefined && others.length === 0) await this.#explain(only, error, refusal);
      else if (bad.length > 0) {
        for (const line of bad) this.#tell(line, '');
        await this.#rest(lines.filter((line) => !bad.includes(line)));
      } else for (const half of halves(lines)) await this.#rest(half);
    }
  }

  async #written(lines: Chunk): Promise<WrittenCounts> {
    const { unit, isUpsert } = this.parts;
    const { request } = this;
    if (!isUpsert) return newOnes(await unit.insert(request, lines));
    // What the database says of one line needs no search for the line.
    if (lines.length === 1) return unit.upsert(request, lines, (_request, _rows, counts) => counts);
    return (await unit.upsertAll(request, lines)).counts;
  }

  /** Asks the database what it has against a line. */
  async #explain(line: ReadLine, error: unknown, refusal: Refusal): Promise<void> {
    const { unit, isUpsert } = this.parts;
    const { request } = this;
    let told: unknown = error;
    if (!isUpsert)
      await request.session.inside(() =>
        unit
          .explained(request, [line], () => Promise.reject(error as Error))
          .catch((better: unknown) => {
            told = better;
          }),
      );
    const known = refusalIn(told) ?? refusal;
    this.#tell(line, known.message, known.inputErrors);
  }

  /** @throws what is no complaint */
  async #judge(lines: Chunk): Promise<void> {
    const { unit, isUpsert } = this.parts;
    const { request } = this;
    try {
      // Of an upsert, lines that are refused already are judged with their records, and none is written.
      await (isUpsert ? unit.upsertAll(request, lines) : unit.judge(request, lines));
    } catch (error) {
      if (!(isUpsert ? refusalIn(error) !== undefined : error instanceof InvalidInput)) throw error;
    }
  }

  #count({ created, updated }: WrittenCounts): void {
    const { counts } = this;
    this.counts = { created: counts.created + created, updated: counts.updated + updated };
  }

  #tell({ line, place, input }: ReadLine, error: string, inputErrors = noErrors): void {
    const before = `${place}.`;
    const named = [...inputErrors].map(([name, message]): [string, string] => [
      name.startsWith(before) ? name.slice(before.length) : name,
      message,
    ]);
    const said = `${place}: `;
    this.refused.push({
      line,
      error: error.startsWith(said) ? error.slice(said.length) : error,
      inputErrors: error !== '' && named.length === 0 ? noErrors : new Map([...named, ...input.complaints]),
    });
  }
}

/** The refusal of a line that is the client's to mend; undefined for any other error. */
function refusalIn(error: unknown): Refusal | undefined {
  if (isRowSecurityViolation(error)) return new NotAuthorized({ cause: error });
  const refusal = error instanceof Refusal ? error : refusalOf(error);
  return refusal !== undefined && refusal.statusCode < 500 ? refusal : undefined;
}

function newOnes({ length }: readonly unknown[]): WrittenCounts {
  return { created: length, updated: 0 };
}

function halves(lines: Chunk): readonly Chunk[] {
  const half = Math.ceil(lines.length / 2);
  return [lines.slice(0, half), lines.slice(half)];
}
