import type { EntityName } from '@mikro-orm/core';
import { contextNames } from '../../access/request.context.js';
import type { CallableContext } from '../../endpoint/request/callable.context.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { DescribedKind } from '../../endpoint/compiled.kind.js';
import { Endpoint, type Effect } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  ModelOptions,
  ReadableOptions,
  WriteableOptions,
} from '../../endpoint/options/endpoint.options.js';
import type { Named } from '../../endpoint/options/given.options.js';
import type { HttpMethod } from '../../endpoint/http.method.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { Identity } from '../../model/registered.identity.js';
import type { InjectMap } from '../../endpoint/request/injection.js';
import type { InputSchemaSource } from '../../request/schemas/input.schema.js';
import type { PagingOptions } from '../../query/paging.js';
import { callDescription } from './callable.description.js';
import { CallableInputReader } from './callable.input.js';
import { CallableOutput } from './callable.output.js';
import { PageWords } from './page.words.js';
import { boolean, callable } from '../../options/checks.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import { inject as injectCheck, writeableChecks } from '../../endpoint/options/endpoint.checks.js';
import { inputSchema } from '../../request/schemas/input.schema.js';
import { pagingChecks } from '../../request/list.checks.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/** Parameters of {@link Callable} beside its function. They hold for methods of controllers too, see `Endpoint`. */
export interface CallOptions<
  E extends object,
  Data = unknown,
  Path = unknown,
  Query = unknown,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
>
  extends
    EndpointOptions,
    PagingOptions,
    Partial<Pick<ModelOptions<E, Entity>, 'columnOverrides' | 'parent' | 'transformInputTypes'>>,
    Partial<Pick<ReadableOptions<E, Entity, Readable>, 'readableColumnNames' | 'outputMap'>>,
    Partial<Pick<WriteableOptions<E, Entity>, 'writeableColumnNames' | 'inputValidationCallable'>> {
  /** The entity whose columns the other options name. */
  readonly modelClass?: EntityName<E> & (Named<Entity> | object);
  /** The schema of the body; a body is required then. Its issues are input errors. */
  readonly inputSchema?: InputSchemaSource<Data>;
  /** The schema of the path parameters, e.g. numbers. */
  readonly pathSchema?: InputSchemaSource<Path>;
  /** The schema of the parameters of the query string. */
  readonly querySchema?: InputSchemaSource<Query>;
  /**
   * True to put what the function gives into `data` of the envelope. With false it is the whole body: a text, bytes,
   * JSON, a Response, or a stream. Default true.
   */
  readonly returnStandardResponse?: boolean;
  /**
   * True if the function gives several records. With `readableColumnNames` or `outputMap`, `limit` and `start` of the
   * query string are those of a returned query, unless `querySchema` has them. Default false.
   */
  readonly returnRecords?: boolean;
  /**
   * True if the function changes nothing: it may be answered from a read replica, and agents are offered it as a read. Default: the
   * method tells, and agents are not.
   */
  readonly readOnly?: boolean;
}

/** Parameters of {@link Callable}. */
export interface CallableOptions<
  Url extends string = string,
  E extends object = object,
  Data = unknown,
  Path = unknown,
  Query = unknown,
  Inject extends InjectMap = InjectMap,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Who extends Identity = Identity,
> extends CallOptions<E, Data, Path, Query, Entity, Readable> {
  readonly url?: Url;
  /** Providers of Nest that the function gets, by the names it gets them under. Default none. */
  readonly inject?: Inject;
  /** The function that answers a request. It destructures what it needs from its argument, and may be async. */
  readonly toCall: (
    context: CallableContext<
      NoInfer<Url>,
      DataOf<NoInfer<Data>>,
      NoInfer<Path>,
      NoInfer<Query>,
      NoInfer<Inject>,
      Who
    >,
  ) => unknown;
}

/** Without rules a body is whatever object was sent, or null. */
export type DataOf<Data> = unknown extends Data ? Readonly<Record<string, unknown>> | null : Data;

/** The names of path parameters that functions cannot get. */
const reserved: ReadonlySet<string> = new Set([...contextNames, 'requestData']);

/**
 * Answers with what a function of the user's gives (contract: Callable).
 *
 * @example
 * new Callable({
 *   url: '/hello/:name',
 *   inject: { users: UsersService },
 *   toCall: ({ name, users }) => users.greet(name),
 * })
 */
export class Callable<
  const Url extends string = string,
  E extends object = object,
  Data = unknown,
  Path = unknown,
  Query = unknown,
  const Inject extends InjectMap = InjectMap,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  Who extends Identity = Identity,
> extends Endpoint<
  CallableOptions<Url, E, Data, Path, Query, Inject>,
  CallableOptions<Url, E, Data, Path, Query, Inject, Entity, Readable, Who>
> {
  static override readonly optionChecks: OptionChecks = {
    ...writeableChecks,
    ...pagingChecks,
    inputSchema,
    pathSchema: inputSchema,
    querySchema: inputSchema,
    returnStandardResponse: boolean,
    returnRecords: boolean,
    readOnly: boolean,
    inject: injectCheck,
    toCall: callable,
  } satisfies ChecksOf<Omit<CallableOptions, keyof EndpointOptions>>;

  protected override readonly defaultMethods: readonly HttpMethod[] = ['GET'];
  override readonly requiredOptions = ['toCall'];
  override readonly readsBody = true;
  override readonly isBatchable: boolean = this.options.returnStandardResponse !== false;
  override readonly effect: Effect = this.options.readOnly === true ? 'reads' : 'method';

  override compile(context: KindContext): DescribedKind {
    const options: CallOptions<E> = this.options;
    const { toCall, inject = {} } = this.options;
    const call: (argument: never) => unknown = toCall;
    const { modelClass, columnOverrides } = options;
    const model = modelClass === undefined ? undefined : context.model({ modelClass, columnOverrides });
    refuseUnshown(context.owner, options);
    const pageWords = new PageWords(options, context.names);
    const reader = new CallableInputReader(context, model, options, pageWords);
    const output = new CallableOutput(context, model, options);
    const injection = context.injection('inject', inject, ['requestData']);
    return {
      handle: async (request) => {
        const { requestData, path, query: queryParameters } = await reader.read(request);
        await request.enterDatabase();
        const injected = await injection.valuesFor(request);
        const more = { ...unreserved(path), ...injected, requestData };
        return output.reply(request, await call(request.context(more, { queryParameters }) as never));
      },
      describe: () => callDescription(context, model, output, { ...options, pageWords }),
    };
  }
}

/** An endpoint that says it answers with records of its entity says what they show. */
function refuseUnshown(
  owner: string,
  options: Readonly<Partial<Record<keyof CallOptions<object>, unknown>>>,
): void {
  const { modelClass, returnRecords, readableColumnNames, outputMap, outputSchema } = options;
  if (modelClass === undefined || returnRecords !== true) return;
  if ([readableColumnNames, outputMap, outputSchema].some((said) => said !== undefined)) return;
  const problem = 'is required with returnRecords; or say outputMap, or outputSchema for plain objects';
  throw new ConfigurationError(owner, 'readableColumnNames', problem);
}

/** A path parameter that is called like something else is in `routingData` alone. */
function unreserved(path: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = Object.keys(path);
  if (!names.some((name) => reserved.has(name))) return path;
  return Object.fromEntries(Object.entries(path).filter(([name]) => !reserved.has(name)));
}
