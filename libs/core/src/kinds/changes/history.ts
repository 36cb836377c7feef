import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import { filterChecks, lookupChecks, modelChecks } from '../../endpoint/options/endpoint.checks.js';
import type {
  EndpointOptions,
  FilterOptions,
  LookupOptions,
  ModelOptions,
} from '../../endpoint/options/endpoint.options.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { LookupUrl } from '../../endpoint/options/lookup.url.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { TextReply } from '../../endpoint/reply.js';
import type { ColumnsOf } from '../../model/column.name.js';
import { boolean, callable, names, oneOfTexts, wholeNumber } from '../../options/checks.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import { asksCallables, lookupParameter, one, subjectOf } from '../record/record.description.js';
import { narrowedBy } from '../record/record.output.js';
import { RecordLookup } from '../record/record.lookup.js';
import { refusedLookup } from '../record/refused.values.js';
import { NamedSchema } from '../../model/json.schema.js';
import { ChangeWriter } from './change.writer.js';
import { HistoryParameters } from './history.parameters.js';
import { KeyedRecord } from './keyed.record.js';
import { recordedPast } from './recorded.columns.js';
import { recordsShown } from '../record/records.view.js';
import { softEntityOf } from '../../model/soft/soft.entity.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/** Parameters of {@link History}. */
export interface HistoryOptions<
  E extends object,
  Entity = E,
  Url extends string = string,
  Lookup extends string = never,
  Text = string,
>
  extends ModelOptions<E, Entity>, LookupOptions<E, Lookup>, FilterOptions<E, Entity, Text> {
  /** Must hold a parameter named like the lookup column, e.g. `cities/:id/history`. */
  readonly url: LookupUrl<Entity, NoInfer<E>, Url, NoInfer<Lookup>>;
  /** The columns whose changes are shown; columns of the entity's own table. */
  readonly readableColumnNames: readonly ColumnsOf<Entity, NoInfer<E>>['own'][];
  /** The page size when the client asks for none. Default 20. */
  readonly limit?: number;
  /** The largest page size a client may ask for. Default 200. */
  readonly maximumLimit?: number;
  /** True to show who made a change. Default false. */
  readonly showsActor?: boolean;
  /** True to show what `changeLog.context` said of the request. Default false. */
  readonly showsContext?: boolean;
  /**
   * The properties by which rules narrow the records. Changes are shown since one of them last changed. Required where rules
   * narrow the records and do not say by which columns.
   */
  readonly narrowedBy?: readonly string[];
  /** `all` to show the changes of records that are deleted, too, where no rule narrows the records. Default `live`. */
  readonly records?: 'live' | 'all';
}

type Names = NamesOf<HistoryOptions<object>>;

/** Answers with the changes of one record, the newest first. */
export class History<
  E extends object = object,
  Entity = E,
  const Url extends string = string,
  const Lookup extends ColumnsOf<Entity, E>['own'] = never,
  Text = string,
> extends Endpoint<
  HistoryOptions<E>,
  OptionsOf<Entity, Names['all'], Names['required'], HistoryOptions<E, Entity, Url, Lookup, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    ...({
      ...modelChecks,
      ...lookupChecks,
      ...filterChecks,
      limit: wholeNumber(1),
      maximumLimit: wholeNumber(1),
      showsActor: boolean,
      showsContext: boolean,
      narrowedBy: names,
      records: oneOfTexts('live', 'all'),
    } satisfies ChecksOf<Omit<HistoryOptions<object>, keyof EndpointOptions>>),
    outputMap: callable,
  };

  protected override readonly defaultMethods = ['GET'] as const;
  override readonly requiredOptions = ['modelClass', 'url', 'readableColumnNames'];
  override readonly repliesPlainly = false;
  override readonly readsBody = false;
  override readonly operation = 'get';
  override readonly effect = 'reads';

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const model = context.model(options);
    // Beside an API whose answers it changes, a History would show what that hides.
    if (Reflect.get(options, 'outputMap') !== undefined)
      throw new ConfigurationError(context.owner, 'outputMap', 'a History shows values as they were stored');
    const lookup = RecordLookup.of(context, model, options);
    const filter = context.filter(model, options);
    const told = { option: 'modelClass', showsNames: true } as const;
    const past = recordedPast(context, model, filter, options, told);
    const parameters = new HistoryParameters(context, model, past.columns, options);
    const writer = new ChangeWriter(context, past.columns, options);
    const isLive = past.isNarrowed || options.records !== 'all';
    const record = new KeyedRecord(context, model, lookup, filter, isLive);
    // Of records that are deleted for good there is none to see.
    const records = isLive || softEntityOf(model.meta) === undefined ? 'live' : 'all';
    const shown = recordsShown(context, model, { records }, lookup.path.column);
    const handle = async (request: EndpointRequest): Promise<TextReply> => {
      const asked = parameters.read(request);
      const value = lookup.value(request.routingData);
      const { session } = request;
      let key: string;
      try {
        const narrowed = filter.needsSql ? await narrowedBy(filter, request) : [];
        key = await record.keyOf(session, value, narrowed);
      } catch (error) {
        throw refusedLookup(error);
      }
      const changes = await past.history.changes(session, {
        ...asked,
        key,
        narrowedBy: past.narrowedBy,
        isOfLive: isLive,
      });
      record.refuseUnknown(changes, asked);
      const page = changes.slice(0, asked.limit);
      const text = `[${page.map((change) => writer.write(change)).join(',')}]`;
      const last = changes.length > asked.limit ? page.at(-1)?.id : undefined;
      return new TextReply(text, parameters.pagination(asked, last));
    };
    return {
      ...traitsOf(filter, { reasons: [], ...shown }),
      handle,
      describe: () => {
        const name = `${subjectOf(context, model)}Change`;
        const data = { type: 'array', items: { $ref: new NamedSchema(name, writer.schema) } } as const;
        return {
          verb: 'history',
          summary: `List the changes of ${one(model)}`,
          description: `Answers the changes of ${one(model)}, the newest first. A value that is kept from the log is left out.`,
          pathParameters: lookupParameter(lookup),
          queryParameters: parameters.schemas,
          answer: { kind: 'envelope', name: `${name}Page`, data, paging: parameters.paging },
          refusals: ['notFound', 'badRequest'],
          runsCallables: asksCallables(options),
        } satisfies OperationDescription;
      },
    };
  }
}
