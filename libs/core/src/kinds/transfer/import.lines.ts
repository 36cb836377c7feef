import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { PlacedInput } from '../../records/writes/bulk/bulk.writes.js';
import type { RecordInput } from '../../request/record.input.js';
import { BadRequest, ContentTooLarge, Refusal } from '../../wire/refusals.js';
import type { BulkConflict } from '../bulk/bulk.conflict.js';
import type { BulkJudge } from '../bulk/bulk.judge.js';
import type { RoutingInput } from '../record/routing.input.js';
import type { ImportLine, LineReader } from './import.line.js';

/** A line as it was read: the input for a record, or the reason why it is none. */
export type ReadLine = PlacedInput<RecordInput> & {
  readonly line: number;
  readonly problem?: string | undefined;
};

/** The lines that are written as one. */
export type Chunk = readonly ReadLine[];

/** The most lines of a chunk. */
const chunkLines = 500;

/** The size from which a chunk is full, however few its lines are. */
const chunkSize = 4_194_304;

/** The limits of one import. */
export interface ImportLimits {
  readonly maximumRecords: number;
  readonly maximumBytes: number;
}

/** Reads and judges lines, as far as that needs no database. Made once per endpoint. */
export class ImportLines {
  /** @param conflict says by what a record is known; left out where none may be there already */
  constructor(
    private readonly judge: BulkJudge,
    private readonly routing: RoutingInput,
    private readonly limits: ImportLimits,
    private readonly conflict?: BulkConflict,
  ) {}

  /**
   * The lines of a request, in the order in which they come.
   *
   * @param begin is told of the first line, long before the first chunk is full
   * @throws BadRequest, ContentTooLarge where they end before their end
   */
  async *chunks(
    request: EndpointRequest,
    read: LineReader,
    begin: (first: ReadLine) => void,
  ): AsyncGenerator<Chunk, void, undefined> {
    const context = request.context();
    let chunk: ReadLine[] = [];
    let size = 0;
    let count = 0;
    const { maximumRecords } = this.limits;
    try {
      for await (const lines of read(this.#bytes(request)))
        for (const line of lines) {
          count += 1;
          if (count > maximumRecords) throw tooMany(line, maximumRecords);
          const one = this.#read(request, line, () => context);
          if (count === 1) begin(one);
          chunk.push(one);
          size += line.size;
          if (chunk.length < chunkLines && size < chunkSize) continue;
          yield chunk;
          chunk = [];
          size = 0;
        }
    } catch (error) {
      // What came before is told of, too.
      if (error instanceof Refusal && chunk.length > 0) yield chunk;
      throw error;
    }
    if (chunk.length > 0) yield chunk;
  }

  #read(
    request: EndpointRequest,
    { line, members, problem }: ImportLine,
    facts: Parameters<BulkJudge['read']>[1],
  ): ReadLine {
    const place = String(line);
    if (members === undefined) return { line, place, input: this.judge.read(new Map(), facts), problem };
    const merged = this.routing.merge(members, request.routingData);
    const input = this.judge.read(this.conflict?.merge(merged, request) ?? merged, facts);
    this.conflict?.columns.compare(input, merged);
    return { line, place, input };
  }

  async *#bytes({ body }: EndpointRequest): AsyncGenerator<Buffer, void, undefined> {
    if (body.kind !== 'stream') return;
    const { maximumBytes } = this.limits;
    let count = 0;
    for await (const chunk of body.chunks()) {
      count += chunk.length;
      if (count > maximumBytes) throw new ContentTooLarge(maximumBytes);
      yield chunk;
    }
  }
}

function tooMany({ line }: ImportLine, most: number): BadRequest {
  return new BadRequest(`line ${line}: there must not be more than ${most} records`);
}
