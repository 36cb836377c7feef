import type { KindContext } from '../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  FilterOptions,
  ReadableOptions,
} from '../../endpoint/options/endpoint.options.js';
import { filterChecks, modelChecks } from '../../endpoint/options/endpoint.checks.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import { RawReply } from '../../endpoint/reply.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import { boolean, callable, oneOfTexts, wholeNumber } from '../../options/checks.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import { ListColumns, type ListColumnOptions } from '../../query/list.columns.js';
import type { PlanSource } from '../../query/plan.source.js';
import type { ListPlan, Selection } from '../../query/query.plan.js';
import { listsOf } from '../../query/selected.columns.js';
import { selectionOf } from '../../query/selection.js';
import { ListParameters } from '../../request/list.parameters.js';
import { listColumnChecks } from '../../request/list.checks.js';
import { ConfigurationError, UnfitModel } from '../../wire/configuration.error.js';
import { streamedReply, type Flowing } from '../callable/streamed.output.js';
import { refuseOwnSegment } from '../record/own.segment.js';
import { asksCallables, subjectOf } from '../record/record.description.js';
import type { Formulas } from './csv.cells.js';
import { exportForms, type ExportForm } from './export.form.js';
import { ExportPages } from './export.pages.js';
import { ExportPaging } from './export.paging.js';
import { mediaTypes, TransferFormats, transferFormats, withoutWords } from './transfer.format.js';

/** Parameters of {@link Export}. */
export interface ExportOptions<
  E extends object,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Text = string,
>
  extends
    Omit<ReadableOptions<E, Entity, Readable>, 'outputMap'>,
    FilterOptions<E, Entity, Text>,
    Partial<ListColumnOptions> {
  /** The columns a client may sort by, relation paths included. Default none. */
  readonly sortableColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
  /** The columns a client may filter by, relation paths included. Default none. */
  readonly searchableColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
  /** The order when the client asks for none. Default: the id. */
  readonly defaultSortColumnName?: ColumnsOf<Entity, NoInfer<E>>['paths'];
  /** The most records of an answer, from 1. Default: all. */
  readonly maximumRecords?: number;
  /**
   * True to read all records as they are at one moment, in one transaction that lasts as long as the answer. An answer in another
   * order than that of ids is of one moment anyway: a record that moves meanwhile would be in it twice. Default false.
   */
  readonly snapshot?: boolean;
  /** `escape` puts an apostrophe in front of text in CSV that a spreadsheet would run. Default `escape`. */
  readonly formulas?: Formulas;
  /** True to begin CSV with a byte order mark, by which Excel knows UTF-8. Default false. */
  readonly byteOrderMark?: boolean;
}

type Names = NamesOf<ExportOptions<object>>;

/** The parts of an export that its description tells of. */
interface ExportSteps {
  readonly model: Model;
  /** The paths of what is shown, under the names of the wire. */
  readonly headers: readonly string[];
  readonly parameters: ListParameters;
}

/** Answers with all records that match, as they are read: lines of JSON, or CSV. */
export class Export<
  E extends object = object,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  Text = string,
> extends Endpoint<
  ExportOptions<E>,
  OptionsOf<Entity, Names['all'], Names['required'], ExportOptions<E, Entity, Readable, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    ...({
      ...modelChecks,
      ...filterChecks,
      ...listColumnChecks,
      maximumRecords: wholeNumber(1),
      snapshot: boolean,
      formulas: oneOfTexts('escape', 'keep'),
      byteOrderMark: boolean,
    } satisfies ChecksOf<Omit<ExportOptions<object>, keyof EndpointOptions>>),
    outputMap: callable,
  };

  protected override readonly defaultMethods = ['GET'] as const;
  override readonly requiredOptions = ['modelClass', 'readableColumnNames'];
  override readonly readsBody = false;
  override readonly operation = 'list';
  override readonly effect = 'reads';
  override readonly repliesPlainly = false;
  override readonly isBatchable = false;

  override compile(context: KindContext): DescribedKind {
    const options: Readonly<ExportOptions<E>> = this.options;
    const model = context.model(options);
    refuseOwnSegment(context, this, model);
    const store = context.store(model);
    // Beside an API whose answers it changes, an export would show what that hides.
    if (Reflect.get(options, 'outputMap') !== undefined)
      throw new ConfigurationError(context.owner, 'outputMap', 'an export shows columns as they are');
    if (!store.knowsSql) throw new UnfitModel(context.owner, 'a backend of your own cannot do this');
    const filter = context.filter(model, options);
    const shown = shownOf(context, model, options.readableColumnNames);
    const reading = store.reading(shown);
    const formats = new TransferFormats(context.names);
    const parameters = new ListParameters(planSource(context, model, options, formats, filter.conditions));
    const forms = exportForms(context, shown, reading.layout, options);
    const pages = new ExportPages(reading, filter);
    const { snapshot = false } = options;
    const isOfOneMoment = ({ sorts }: ListPlan): boolean =>
      snapshot || sorts.some(({ path }) => path.text !== model.idPath.text);
    const reason = store.reasonAgainstReads(shown);
    return {
      ...traitsOf(filter, { reasons: reason === undefined ? [] : [reason], readsOneMoment: true }),
      handle: async (request) => {
        const query = request.queryParameters;
        const format = formats.ofAnswer(request, query);
        const asked = { path: request.path, query: withoutWords(query, formats.names), body: new Map() };
        const plan = parameters.plan(asked);
        // A transaction would wait for the stream's end, and the stream for a client that waits for its beginning.
        await request.leaveTransaction();
        const texts = written(pages.all(request, plan, isOfOneMoment(plan)), forms[format]);
        const { body } = await streamedReply(texts, notAnObject, flowing(context, request));
        const name = `attachment; filename="${model.meta.className}.${format}"`;
        return new RawReply(body, `${mediaTypes[format]}; charset=UTF-8`, [['Content-Disposition', name]]);
      },
      describe: () => this.#described(context, { model, headers: forms.headers, parameters }),
    };
  }

  #described(context: KindContext, { model, headers, parameters }: ExportSteps): OperationDescription {
    const { names } = context;
    const { query, refusals } = parameters.describe();
    const columns = headers.join(', ');
    return {
      verb: 'export',
      summary: `Export ${model.meta.className} records`,
      description: `Answers all ${model.meta.className} records that match every search term, as they are read: a line of JSON for each, or a table with a line of names.`,
      queryParameters: { ...query, [names.control('format')]: { type: 'string', enum: transferFormats } },
      answer: {
        kind: 'raw',
        content: {
          [mediaTypes.ndjson]: textOf(
            `An object of JSON on each line, with ${columns}; those of a parent are in an object of its own.`,
          ),
          [mediaTypes.csv]: textOf(
            `A table with a column for each of ${columns}; those of a parent have its name in front, and a dot.`,
          ),
        },
        headers: {
          'Content-Disposition': { description: 'The name under which to keep it.' },
        },
      },
      refusals: refusals ?? [],
      runsCallables: asksCallables(this.options),
    };
  }
}

/** @throws ConfigurationError for what has no place in a line */
function shownOf(context: KindContext, model: Model, names: readonly string[]): Selection {
  const shown = selectionOf(context.owner, model, names);
  const [list] = listsOf(shown);
  if (list === undefined) return shown;
  const problem = `'${list.name}' is a list of related records, which has no place in a line`;
  throw new ConfigurationError(context.owner, 'readableColumnNames', problem);
}

function planSource(
  context: KindContext,
  model: Model,
  options: Partial<ListColumnOptions> & { readonly maximumRecords?: number },
  formats: TransferFormats,
  conditions: ListPlan['conditions'],
): PlanSource {
  const { owner, names } = context;
  const { sortableColumnNames = [], defaultSortColumnName = model.idColumn.name } = options;
  const listed = { ...options, sortableColumnNames, defaultSortColumnName };
  const columns = new ListColumns(owner, model, names, listed, true);
  const word = [...columns.searchable.keys()].find((name) => formats.names.has(name));
  if (word !== undefined)
    throw new ConfigurationError(owner, 'searchableColumnNames', `'${word}' already means the format`);
  const paging = new ExportPaging(owner, options.maximumRecords);
  const fixed = { conditions, groupBy: undefined };
  return { owner, subject: subjectOf(context, model), names, columns, paging, fixed, forcesText: false };
}

/** The text of an export: what stands in front, with the first records, so that an early failure is no half answer. */
async function* written(
  pages: AsyncIterable<Parameters<ExportForm['rows']>[0]>,
  form: ExportForm,
): AsyncGenerator<string, void, undefined> {
  let before = form.head;
  for await (const page of pages) {
    yield before + form.rows(page);
    before = '';
  }
  if (before !== '') yield before;
}

function textOf(description: string): JsonSchema {
  return { type: 'string', description };
}

function notAnObject(): Promise<string> {
  return Promise.reject(new TypeError('An export is text'));
}

function flowing({ settings, announcements }: KindContext, request: EndpointRequest): Flowing {
  const onError = (error: unknown): void => {
    announcements.failed(request, 'closing an export', error);
  };
  return { cancellation: request.cancellation, stallLimit: settings.stallTimeout, onError };
}
