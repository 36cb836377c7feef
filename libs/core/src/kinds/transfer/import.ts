import type { Operation } from '../../access/operation.access.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  FilterOptions,
  WriteableOptions,
} from '../../endpoint/options/endpoint.options.js';
import { filterChecks, saveChecks, writeableChecks } from '../../endpoint/options/endpoint.checks.js';
import type { SaveOptions } from '../../endpoint/options/life.cycle.options.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import { RawReply } from '../../endpoint/reply.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RecordInput } from '../../request/record.input.js';
import type { InjectMap } from '../../endpoint/request/injection.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { ColumnType } from '../../model/column.type.js';
import type { Model } from '../../model/model.js';
import { boolean, oneOfTexts, wholeNumber } from '../../options/checks.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import { BadRequest, ContentTooLarge } from '../../wire/refusals.js';
import { StreamBody } from '../../wire/stream.body.js';
import { BulkConflict, conflictChecks, isUpserting, type ConflictOptions } from '../bulk/bulk.conflict.js';
import { BulkJudge } from '../bulk/bulk.judge.js';
import { BulkOutput } from '../bulk/bulk.output.js';
import { recordBulkWrites } from '../bulk/record.bulk.writes.js';
import { refuseOwnSegment } from '../record/own.segment.js';
import { RoutingInput } from '../record/routing.input.js';
import { LifeCycle } from '../write/life.cycle.js';
import { UpsertLifeCycle } from '../write/upsert/upsert.life.cycle.js';
import { ChunkWrites } from './chunk.writes.js';
import { csvReader } from './csv.lines.js';
import { importDescription } from './import.description.js';
import type { LineReader } from './import.line.js';
import { ImportLines, type Chunk, type ReadLine } from './import.lines.js';
import { ImportReport } from './import.report.js';
import { ImportRun } from './import.run.js';
import { ndjsonReader } from './ndjson.lines.js';
import { leftWrites } from '../../records/writes/bulk/statement.left.js';
import { mediaTypes, TransferFormats, withoutWords, type TransferFormat } from './transfer.format.js';

/** Parameters of {@link Import}. */
export interface ImportOptions<E extends object, I extends InjectMap = InjectMap, Entity = E, Text = string>
  extends
    Omit<WriteableOptions<E, Entity, never>, 'readableColumnNames' | 'outputMap'>,
    FilterOptions<E, Entity, Text>,
    SaveOptions<E, I>,
    Pick<ConflictOptions, 'onConflict'> {
  /** True to merge path parameters over each record before validation; they must be writeable. Default false. */
  readonly includeRoutingDataInRequestData?: boolean;
  /**
   * `atomic` keeps all lines or none: it is one transaction, which lasts as long as the request. `chunks` keeps 500 lines at a time,
   * without those that are refused. Default `atomic`.
   */
  readonly mode?: 'atomic' | 'chunks';
  /** The most records of one request, from 1. Default 100,000. */
  readonly maximumRecords?: number;
  /** The largest body, in bytes, from 1. `bodyLimit` does not hold for it. Default 104,857,600. */
  readonly maximumBytes?: number;
  /**
   * The columns by whose values a record is there already: exactly those of one unique constraint, none of them null. Needed
   * where `onConflict` is `update` or `ignore`.
   */
  readonly conflictColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['own'][];
}

type Names = NamesOf<ImportOptions<object>>;

const usual = { maximumRecords: 100_000, maximumBytes: 104_857_600 } as const;

/** Creates a record of each line of the body, or changes the one that is there. The body may be longer than memory: lines of JSON, or CSV. */
export class Import<
  E extends object = object,
  const I extends InjectMap = InjectMap,
  Entity = E,
  Text = string,
> extends Endpoint<
  ImportOptions<E, I>,
  OptionsOf<Entity, Names['all'], Names['required'], ImportOptions<E, I, Entity, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    ...writeableChecks,
    ...filterChecks,
    ...saveChecks,
    ...conflictChecks,
    includeRoutingDataInRequestData: boolean,
    mode: oneOfTexts('atomic', 'chunks'),
    maximumRecords: wholeNumber(1),
    maximumBytes: wholeNumber(1, undefined, 'bytes'),
  } satisfies ChecksOf<Omit<ImportOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['POST'] as const;
  override readonly requiredOptions = ['modelClass', 'writeableColumnNames'];
  override readonly readsBody = true;
  override readonly streamsBody = true;
  override readonly operation: Operation = isUpserting(this.options) ? 'upsert' : 'create';
  override readonly effect = 'writes';
  override readonly repliesPlainly = false;
  override readonly isBatchable = false;

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const { mode = 'atomic', maximumRecords = usual.maximumRecords } = options;
    const { maximumBytes = usual.maximumBytes } = options;
    const model = context.model(options);
    refuseOwnSegment(context, this, model);
    const conflict = BulkConflict.of(context, model, options, true);
    const { columns } = conflict ?? {};
    const { writeableColumnNames } = options;
    const said = {
      ...options,
      writeableColumnNames: columns?.writeable(writeableColumnNames) ?? writeableColumnNames,
    };
    const judge = new BulkJudge(context, model, said, false, columns?.settled);
    const routing = new RoutingInput(context, model, options);
    const output = BulkOutput.of(context, model, { answer: 'ids' }, model.idPath);
    const lifeCycle =
      conflict === undefined
        ? new LifeCycle(context, model, 'create', options)
        : new UpsertLifeCycle(context, model, options);
    const comparesStored = conflict !== undefined && judge.comparesColumns;
    const behindStatement = leftWrites<EndpointRequest, RecordInput>();
    const plan = { judge, lifeCycle, output, comparesStored, upsert: conflict, behindStatement };
    const { writes, unit, ...traits } = recordBulkWrites(
      context,
      model,
      { ...options, outputMap: undefined },
      plan,
    );
    const statement = traits.reasons.length === 0 ? writes : undefined;
    const chunkWrites = new ChunkWrites({ judge, statement, unit, isUpsert: conflict !== undefined });
    const lines = new ImportLines(judge, routing, { maximumRecords, maximumBytes }, conflict);
    const words = new ImportWords(context);
    const types = columnTypes(context, model, options.writeableColumnNames);
    const readers: Readonly<Record<TransferFormat, (depth: number) => LineReader>> = {
      ndjson: ndjsonReader,
      csv: () => csvReader(types),
    };
    return {
      ...traitsOf({ reasons: traits.reasons }),
      handle: async (request) => {
        const { format, isDryRun } = words.read(request);
        const reader = readers[format](depthOf(request, maximumBytes));
        const chunks = await begun((begin) => lines.chunks(request, reader, begin));
        // A transaction would wait for the end of the body, and the client maybe for the beginning of the answer.
        await request.leaveTransaction();
        const report = new ImportReport(context.names);
        const onFailure = (error: unknown): void => {
          context.announcements.failed(request, 'an import', error);
        };
        const task = { request, chunks, report, isWhole: mode === 'atomic', isDryRun, onFailure };
        void new ImportRun(chunkWrites, task).run();
        return replyOf(report, request, context.settings.stallTimeout);
      },
      describe: () => this.#described(context, model),
    };
  }

  #described(context: KindContext, model: Model): OperationDescription {
    return importDescription(context, model, this.options);
  }
}

/** The words of the query string. */
class ImportWords {
  readonly #formats: TransferFormats;
  readonly #dryRun: ReadonlySet<string>;

  constructor({ names }: KindContext) {
    this.#formats = new TransferFormats(names);
    this.#dryRun = new Set(['dry_run', names.control('dry_run')]);
  }

  /** @throws BadRequest, UnsupportedMediaType */
  read(request: EndpointRequest): { readonly format: TransferFormat; readonly isDryRun: boolean } {
    const query = request.queryParameters;
    const others = withoutWords(withoutWords(query, this.#formats.names), this.#dryRun);
    const [unknown] = others.keys();
    if (unknown !== undefined) throw new BadRequest(`Unknown parameter '${unknown}' in the query string`);
    const named = [...this.#dryRun].flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : []));
    const [[name = '', value] = [], ...more] = named;
    if (more.length > 0) throw new BadRequest(`'${name}' is given more than once in the query string`);
    if (value !== undefined && value !== 'true' && value !== 'false')
      throw new BadRequest(`'${name}' must be true or false`);
    return { format: this.#formats.ofBody(request, query), isDryRun: value === 'true' };
  }
}

/** The depth to which values may be nested. @throws ContentTooLarge where the client announces too much */
function depthOf({ body }: EndpointRequest, maximumBytes: number): number {
  if (body.kind !== 'stream') return 0;
  if ((body.announced ?? 0) > maximumBytes) throw new ContentTooLarge(maximumBytes);
  return body.depth;
}

/**
 * Waits for the first line of an import. Its chunks go on from there.
 *
 * @throws BadRequest where there is no line, and where the first cannot be read
 */
async function begun(
  read: (begin: (line: ReadLine) => void) => AsyncGenerator<Chunk, void, undefined>,
): Promise<AsyncGenerator<Chunk, void, undefined>> {
  const begins = Promise.withResolvers<ReadLine>();
  const chunks = read(begins.resolve);
  const first = chunks.next();
  const line = await Promise.race([begins.promise, first.then(() => undefined)]);
  if (line === undefined) throw new BadRequest('The body has no record');
  if (line.problem === undefined) return resumed(first, chunks);
  void chunks.return().catch(() => undefined);
  throw new BadRequest(`line ${line.line}: ${line.problem}`);
}

/** A generator that goes on with what was asked of it already. */
async function* resumed<T>(
  first: Promise<IteratorResult<T, void>>,
  rest: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const { done, value } = await first;
  if (done !== true) yield value;
  yield* rest;
}

/** The types of the columns that a table may name, by the names that clients know. */
function columnTypes(
  { names }: KindContext,
  { columns }: Model,
  writeable: readonly string[],
): ReadonlyMap<string, ColumnType> {
  return new Map(
    writeable.flatMap((name) => {
      const type = columns.get(name)?.type;
      return type === undefined ? [] : [[names.outward(name), type] as const];
    }),
  );
}

/** A reply that ends the import when nobody reads it any more. */
function replyOf(report: ImportReport, { cancellation }: EndpointRequest, stallLimit: number): RawReply {
  const { readable } = report;
  const closed = (): void => {
    if (!readable.readableEnded) cancellation.cancel(new Error('the client has gone'));
  };
  readable.once('close', closed);
  return new RawReply(new StreamBody(readable, stallLimit, closed), mediaTypes.ndjson);
}
