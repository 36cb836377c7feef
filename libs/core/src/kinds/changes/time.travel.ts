import type { Handler } from '../../endpoint/compiled.kind.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Reply } from '../../endpoint/reply.js';
import { DatetimeColumn } from '../../model/columns/datetime.column.js';
import type { RecordsOptions } from '../../endpoint/options/records.options.js';
import { softEntityOf } from '../../model/soft/soft.entity.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import { conditionOf } from '../../query/condition.js';
import { recordedInRow } from '../../records/changes/recorded.value.js';
import type { EarlierRecord } from '../../records/changes/record.history.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { BadRequest, NotFound } from '../../wire/refusals.js';
import { narrowedBy } from '../record/record.output.js';
import type { RecordLookup } from '../record/record.lookup.js';
import { recordOutput, type RecordOutput } from '../record/record.output.js';
import { refusedLookup } from '../record/refused.values.js';
import { SelectableOutput } from '../record/selectable.output.js';
import { KeyedRecord } from './keyed.record.js';
import { recordedPast, type RecordedPast } from './recorded.columns.js';

/** The options of a Get that tell what a record was. */
export interface TimeTravelOptions {
  /** True to answer `?as_of=2027-05-01T10:00:00Z` with the record as it was then. Default false. */
  readonly timeTravel?: boolean;
  /**
   * The properties by which rules narrow the records, for `timeTravel`. A record is shown as it was since one of them last
   * changed. Required where rules narrow the records and do not say by which columns.
   */
  readonly narrowedBy?: readonly string[];
}

interface TravelSource extends TimeTravelOptions, RecordsOptions {
  readonly readableColumnNames: readonly string[];
  readonly clientSelectsColumns?: boolean | undefined;
  readonly includableColumnNames?: readonly string[] | undefined;
  readonly outputMap?: unknown;
}

const instants = new DatetimeColumn({ precision: 'milliseconds' });

/** Answers a Get with the record as it was at a time. Made once per endpoint. */
export class TimeTravel {
  readonly #outputs: SelectableOutput<RecordOutput>;
  readonly #record: KeyedRecord;
  readonly #keepFor: number | 'forever';
  /** The operation that comes first behind a time at which a record was none of those to see; undefined for none. */
  readonly #unseenBefore: 'deleted' | 'restored' | undefined;

  private constructor(
    private readonly context: KindContext,
    private readonly model: Model,
    private readonly lookup: RecordLookup,
    private readonly filter: RecordFilter,
    private readonly past: RecordedPast,
    source: TravelSource,
  ) {
    const { records = 'live' } = source;
    const { idPath } = model;
    const isSoft = softEntityOf(model.meta) !== undefined;
    const key = { kind: 'column', name: idPath.text, path: idPath } as const;
    this.#outputs = SelectableOutput.of(context, model, source, (chosen) =>
      recordOutput(context, model, { ...source, outputMap: undefined }, undefined, undefined, chosen, [key]),
    );
    this.#record = new KeyedRecord(
      context,
      model,
      lookup,
      filter,
      // A mark tells the log of itself alone: what has one is there to read, or none to see.
      past.isNarrowed || (isSoft && records !== 'all'),
    );
    const unseen = { live: 'restored', deleted: 'deleted', all: undefined } as const;
    this.#unseenBefore = isSoft ? unseen[records] : undefined;
    this.#keepFor = context.database.changes?.of(model.meta)?.entity.options.keepFor ?? 'forever';
  }

  /** Undefined where a Get shows records as they are. @throws ConfigurationError */
  static of(
    context: KindContext,
    model: Model,
    lookup: RecordLookup,
    filter: RecordFilter,
    source: TravelSource,
  ): TimeTravel | undefined {
    const { timeTravel = false, outputMap } = source;
    if (!timeTravel) return undefined;
    if (outputMap !== undefined)
      throw new ConfigurationError(
        context.owner,
        'timeTravel',
        'outputMap gets entities, of which there are none of earlier times',
      );
    const told = { option: 'timeTravel', showsNames: false } as const;
    const { readableColumnNames, includableColumnNames = [], narrowedBy: narrowing } = source;
    // What is shown only to those who ask for it was there, or was not, like all else.
    const columns = [...readableColumnNames, ...includableColumnNames];
    const given = { readableColumnNames: columns, narrowedBy: narrowing };
    const past = recordedPast(context, model, filter, given, told);
    return new TimeTravel(context, model, lookup, filter, past, source);
  }

  /** The parameter, by the name that clients use. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    return { [this.context.names.control('as_of')]: { type: 'string', format: 'date-time' } };
  }

  /** Makes the handler of requests that may ask for an earlier time. @param now the handler of all others */
  around(now: Handler): Handler {
    const then = this.#outputs.handling((output) => async (request) => this.#answer(request, output));
    return (request) => (this.isAskedIn(request) ? then(request) : now(request));
  }

  /** True if a request asks for a time. */
  isAskedIn(request: EndpointRequest): boolean {
    return this.#askedIn(request) !== undefined;
  }

  /** The name under which a request asks for a time; undefined for now. */
  #askedIn({ queryParameters }: EndpointRequest): string | undefined {
    return ['as_of', this.context.names.control('as_of')].find((one) => queryParameters.has(one));
  }

  /** The time that a request asks for. @throws BadRequest */
  #timeIn(request: EndpointRequest): Date {
    const { queryParameters, headers } = request;
    const name = this.#askedIn(request) ?? '';
    const text = instants.fromText(queryParameters.get(name) ?? '');
    if (instants.complaint(text) !== undefined)
      throw new BadRequest(`'${name}' must be an instant, such as 2027-05-01T10:00:00Z`);
    if (headers['if-match'] !== undefined)
      throw new BadRequest(`'${name}' and If-Match cannot be given together`);
    const time = instants.toDatabase(text) as Date;
    if (time.getTime() > Date.now()) throw new BadRequest(`'${name}' must be in the past`);
    if (this.#keepFor !== 'forever') refuseBefore(name, time, Date.now() - this.#keepFor);
    return time;
  }

  /** @throws NotFound where there was no such record, BadRequest for a time before the first change that is kept */
  async #answer(request: EndpointRequest, output: RecordOutput): Promise<Reply> {
    const { session } = request;
    const time = this.#timeIn(request);
    const value = this.lookup.value(request.routingData);
    // The record first: what changes between the two statements the log tells of.
    const row = await this.#now(request, value, output);
    const position = output.reading.layout.at(this.model.idPath);
    const key = row === undefined ? this.#record.goneKey(value) : this.#record.recorded(row[position]);
    if (key === undefined) throw new NotFound();
    const { history, narrowedBy: moving, isNarrowed } = this.past;
    const earlier = await history.earlier(session, key, time, moving);
    if (earlier.since !== undefined)
      refuseBefore(this.context.names.control('as_of'), time, Math.ceil(earlier.since));
    const wasThere = earlier.next === undefined ? row !== undefined : earlier.next !== 'created';
    const wasSeen = this.#unseenBefore === undefined || earlier.turn !== this.#unseenBefore;
    if (!wasThere || !wasSeen || (isNarrowed && earlier.hasMoved)) throw new NotFound();
    return output.answering(200)(request, this.#then(row, earlier, output));
  }

  async #now(
    request: EndpointRequest,
    value: unknown,
    { reading }: RecordOutput,
  ): Promise<readonly unknown[] | undefined> {
    const conditions = [...this.filter.conditions, conditionOf(this.lookup.path, '=', value)];
    try {
      const narrowed = this.filter.needsSql ? await narrowedBy(this.filter, request) : [];
      return await reading.find(request.session, conditions, narrowed);
    } catch (error) {
      throw refusedLookup(error);
    }
  }

  /** The row with the values of that time. What is none of its column's type any more is null. */
  #then(
    row: readonly unknown[] | undefined,
    { values }: EarlierRecord,
    { reading: { layout } }: RecordOutput,
  ): readonly unknown[] {
    const { platform } = this.context.database.dialect;
    const all = [...(row ?? [])];
    for (const path of layout.columns) {
      const { column } = path;
      const value = values.get(column.property.name);
      if (value !== undefined) all[layout.at(path)] = recordedInRow(column, value, platform);
    }
    return all;
  }
}

function refuseBefore(name: string, time: Date, first: number): void {
  if (time.getTime() >= first) return;
  throw new BadRequest(`'${name}' must be after ${new Date(first).toISOString()}`);
}
