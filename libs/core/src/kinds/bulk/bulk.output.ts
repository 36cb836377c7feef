import { traitsOf, type KindTraits } from '../../endpoint/compiled.kind.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { TextReply, type RecordReply } from '../../endpoint/reply.js';
import type { JsonSchema } from '../../model/json.schema.js';
import { columnSchema } from '../../model/column.schema.js';
import type { ColumnPath, Model } from '../../model/model.js';
import type { SelectedColumn, Selection } from '../../query/query.plan.js';
import { plainValueOf } from '../../sql/plain.row.js';
import type { Row } from '../../sql/row.layout.js';
import { rowsText, rowWriter } from '../../sql/row.writer.js';
import type { StatementCache } from '../../sql/statement.cache.js';
import type { RecordReading } from '../../records/record.store.js';
import type { BulkAnswer, BulkUpsertAnswer } from '../../records/writes/bulk/bulk.writes.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { outcomes } from '../../wire/outcome.table.js';
import { shownRecord } from '../record/record.description.js';
import { recordOutput, type ChosenColumns, type RecordOutput } from '../record/record.output.js';
import { SelectableOutput } from '../record/selectable.output.js';
import type { BulkShown } from './bulk.options.js';

type Replies = (
  request: EndpointRequest,
  rows: readonly Row[],
  statusCode: number,
) => RecordReply | Promise<RecordReply>;

/** The options that say how an endpoint answers with many records. */
interface OutputSource {
  readonly answer?: BulkShown | undefined;
  readonly readableColumnNames?: readonly string[] | undefined;
  readonly outputMap?: ((context: never) => unknown) | undefined;
  readonly outputSchema?: Parameters<typeof shownRecord>[3]['outputSchema'];
  readonly searchableColumnNames?: readonly string[] | undefined;
  readonly writeableColumnNames?: readonly string[] | undefined;
}

/** The options that say what of them a client chooses. */
interface SelectableSource {
  readonly clientSelectsColumns?: boolean | undefined;
  readonly includableColumnNames?: readonly string[] | undefined;
}

/** Answers with the records that were written, or with what they are called by. Made once per endpoint. */
export class BulkOutput implements KindTraits {
  readonly reasons: readonly string[];
  /** The cache for statements of what a client chose to see; undefined where each use has its own. */
  readonly statements: StatementCache | undefined;

  private constructor(
    /** The parts that are read of each record: its key beside what is shown. */
    readonly selection: Selection,
    readonly reading: RecordReading,
    readonly keyOf: (row: Row) => unknown,
    /** The schema of `data`. @param isSelectable whether clients select what is shown */
    readonly schema: (isSelectable: boolean) => JsonSchema,
    private readonly replies: Replies,
    output?: RecordOutput,
  ) {
    this.reasons = traitsOf(output).reasons;
    this.statements = output?.statements;
  }

  /** The outputs of an endpoint whose clients may select what is shown. With `ids` there is nothing to select. */
  static selectable(
    context: KindContext,
    model: Model,
    source: OutputSource & SelectableSource,
    path: ColumnPath,
  ): SelectableOutput<BulkOutput> {
    const { answer = 'records', readableColumnNames = [], ...options } = source;
    const selectable = answer === 'ids' ? { readableColumnNames } : { ...options, readableColumnNames };
    return SelectableOutput.of(context, model, selectable, (chosen) =>
      BulkOutput.of(context, model, source, path, chosen),
    );
  }

  /** @throws ConfigurationError */
  static of(
    context: KindContext,
    model: Model,
    source: OutputSource,
    path: ColumnPath,
    chosen?: ChosenColumns,
  ): BulkOutput {
    const { answer = 'records', readableColumnNames = [], outputMap, outputSchema } = source;
    const { platform } = context.database.dialect;
    const key = columnAt(model.idPath);
    if (answer === 'records') {
      const shown = { readableColumnNames, outputMap };
      const output = recordOutput(context, model, shown, undefined, undefined, chosen, [key]);
      const { reading, selection } = output;
      const schema = (isSelectable: boolean): JsonSchema =>
        listOf(shownRecord(context, model, output.shown, { outputSchema, outputMap }, isSelectable));
      const replies: Replies = (request, rows, statusCode) => output.all(request, rows, statusCode);
      const keyOf = plainValueOf(key, reading.layout, platform);
      return new BulkOutput(selection, reading, keyOf, schema, replies, output);
    }
    if (outputMap !== undefined)
      throw new ConfigurationError(context.owner, 'outputMap', "`answer: 'ids'` shows no records");
    const called = columnAt(path);
    const selection = [called, key];
    const reading = context.store(model).reading(selection);
    const write = rowWriter(called, reading.layout, context.names, platform);
    const replies: Replies = (_request, rows, statusCode) =>
      new TextReply(rowsText(rows, write), undefined, statusCode);
    const keyOf = plainValueOf(key, reading.layout, platform);
    return new BulkOutput(selection, reading, keyOf, () => listOf(columnSchema(path.column)), replies);
  }

  /** Makes the answer with records that a request has written. */
  answering(statusCode: number): BulkAnswer<EndpointRequest, RecordReply> {
    return (request, rows) => this.replies(request, rows, statusCode);
  }

  /** Makes the answer with records that a request has created or changed. */
  answeringEither(createStatus: number): BulkUpsertAnswer<EndpointRequest, RecordReply> {
    return (request, rows, { created }) =>
      this.replies(request, rows, created > 0 ? createStatus : outcomes.success.statusCode);
  }
}

function columnAt(path: ColumnPath): SelectedColumn {
  return { kind: 'column', name: path.text, path };
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}
