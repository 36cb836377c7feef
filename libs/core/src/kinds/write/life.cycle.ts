import type { Announcements } from '../../endpoint/announcements.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Injection } from '../../endpoint/request/injection.js';
import type { LifeCycleContext, WriteOperation } from '../../endpoint/options/life.cycle.options.js';
import type { Model } from '../../model/model.js';
import type {
  BulkWriting,
  ColumnValues,
  RecordKey,
  RecordStore,
  StagedWrite,
  StoredRecord,
} from '../../records/record.store.js';
import { softEntityOf } from '../../model/soft/soft.entity.js';
import type { Mark } from '../../records/soft/mark.js';
import type { RecordInput } from '../../request/record.input.js';
import type { BulkRecord, BulkWriteSteps, SavedRecords } from '../../records/writes/bulk/bulk.parts.js';
import type { WriteSteps } from '../../records/writes/unit.parts.js';
import type { WriteListeners } from '../../records/writes/writes.js';
import type { NameTable } from '../../wire/name.table.js';
import { InvalidInput } from '../../wire/refusals.js';
import { isGiven, steps, type HookSource } from './write.hooks.js';

/** Names that functions get beside what all functions get. */
const taken = [
  'operation',
  'record',
  'changes',
  'index',
  'soft',
] as const satisfies readonly (keyof LifeCycleContext)[];

type RecordFacts = Pick<LifeCycleContext, 'record' | 'changes' | 'index' | 'soft'>;

/** Makes the facts about a record, and says where it stands in a request for many. */
interface Told {
  readonly facts: () => RecordFacts;
  readonly place?: string;
}

/** The steps of writes, and who takes part in them. */
export interface WatchedSteps extends WriteSteps<EndpointRequest>, WriteListeners {
  /** The reason why functions of the user's need MikroORM; undefined where there are none. */
  readonly reason: string | undefined;
}

/** The user's own functions and listeners around the writes of an endpoint. Made once per endpoint. */
export class LifeCycle implements WatchedSteps, BulkWriteSteps<EndpointRequest, RecordInput> {
  readonly reason: string | undefined;
  readonly #store: RecordStore;
  readonly #names: NameTable;
  readonly events: Announcements;
  readonly #event: string;
  readonly #injection: Injection | undefined;
  readonly #isSoft: boolean;

  /** @throws ConfigurationError for what is no function, and for names in `inject` that have a meaning already */
  constructor(
    context: KindContext,
    model: Model,
    private readonly operation: WriteOperation,
    private readonly hooks: HookSource,
  ) {
    const { before, after, event } = steps[operation];
    const given = ([before, after, 'afterCommit'] as const).find((name) =>
      isGiven(context.owner, name, hooks),
    );
    this.reason = given === undefined ? undefined : `${given} gets entities`;
    this.#store = context.store(model);
    this.#isSoft = softEntityOf(model.meta) !== undefined;
    this.#names = context.names;
    this.events = context.announcements;
    this.#event = `endpoints.${model.meta.className}.${event}`;
    this.#injection = hooks.inject && context.injection('inject', hooks.inject, taken);
  }

  /** True if any options are about the life cycle. */
  static takesPart(hooks: HookSource): boolean {
    const names: readonly string[] = Object.values(steps).flatMap(({ before, after }) => [before, after]);
    return [...names, 'afterCommit'].some((name) => Reflect.get(hooks, name) !== undefined);
  }

  get isHeard(): boolean {
    return this.events.canBeHeard && this.events.hears(this.#event);
  }

  async create(request: EndpointRequest, values: ColumnValues): Promise<RecordKey> {
    const { writing } = this.#store;
    if (!this.#isWatched) return writing.create(request.session, values);
    return this.#save(request, await writing.stage(request.session, values));
  }

  async update(request: EndpointRequest, record: StoredRecord, values: ColumnValues): Promise<void> {
    const { writing } = this.#store;
    if (!this.#isWatched) await writing.update(request.session, record, values);
    else await this.#save(request, await writing.stage(request.session, values, record));
  }

  async delete(request: EndpointRequest, record: StoredRecord, mark?: Mark): Promise<void> {
    const { writing } = this.#store;
    const { session } = request;
    const told = { facts: (): RecordFacts => ({ record, changes: {}, ...this.#softly(mark) }) };
    await this.#run('before', request, told);
    if (mark === undefined) await writing.delete(session, record);
    else await writing.update(session, record, mark.values);
    await this.#finish(request, [told]);
  }

  restore(request: EndpointRequest, record: StoredRecord, { values }: Mark): Promise<void> {
    return this.update(request, record, values);
  }

  async createAll(
    request: EndpointRequest,
    records: readonly BulkRecord<RecordInput>[],
  ): Promise<readonly RecordKey[]> {
    return (await this.saveAll(request, records)).keys;
  }

  async updateAll(
    request: EndpointRequest,
    records: readonly BulkRecord<RecordInput>[],
  ): Promise<readonly RecordKey[]> {
    return (await this.saveAll(request, records)).keys;
  }

  /**
   * Writes many records. The functions run for one after the other, in the order of the request.
   * @param lifeOf says whose functions take part in the write of a record
   */
  async saveAll(
    request: EndpointRequest,
    records: readonly BulkRecord<RecordInput>[],
    lifeOf: (record: BulkRecord<RecordInput>) => LifeCycle = () => this,
  ): Promise<SavedRecords> {
    const inputs = records.map(({ input, values, subject }) => ({
      values: values ?? input?.values ?? new Map(),
      record: subject?.record,
    }));
    const staged = await this.#bulk.stageAll(request.session, inputs);
    const lives = records.map(lifeOf);
    const isChanged = (index: number): boolean => Object.keys(staged.all[index]?.changes() ?? {}).length > 0;
    if (!lives.some((life) => life.#isWatched)) return { keys: await staged.write(), isChanged };
    const told = staged.all.map((one, index): Told => ({
      facts: () => ({ record: one.record, changes: one.changes(), index: records[index]?.index ?? index }),
      place: records[index]?.place ?? '',
    }));
    const lifeAt = (index: number): LifeCycle => lives[index] ?? this;
    await staged.hold(async () => {
      for (const [index, one] of told.entries()) await lifeAt(index).#run('before', request, one);
    });
    const keys = await staged.write();
    const written = [...told.keys()].filter(isChanged);
    for (const index of written) {
      const one = told[index];
      if (one !== undefined) await lifeAt(index).#run('after', request, one);
    }
    if (written.length > 0) await this.#settle(request);
    for (const index of written) {
      const one = told[index];
      if (one !== undefined) lifeAt(index).#leave(request, one);
    }
    return { keys, isChanged };
  }

  async deleteAll(
    request: EndpointRequest,
    records: readonly BulkRecord<RecordInput>[],
    mark?: Mark,
  ): Promise<void> {
    const soft = this.#softly(mark);
    const told = records.flatMap(({ subject, index, place }): Told[] =>
      subject === undefined
        ? []
        : [{ place, facts: () => ({ record: subject.record, changes: {}, index, ...soft }) }],
    );
    for (const one of told) await this.#run('before', request, one);
    const stored = records.flatMap(({ subject }) => subject?.record ?? []);
    if (mark === undefined) await this.#bulk.deleteAll(request.session, stored);
    else await this.#markAll(request, stored, mark);
    if (this.#isWatched) await this.#finish(request, told);
  }

  async #markAll(
    { session }: EndpointRequest,
    records: readonly StoredRecord[],
    { values }: Mark,
  ): Promise<void> {
    const staged = await this.#bulk.stageAll(
      session,
      records.map((record) => ({ values, record })),
    );
    await staged.write();
  }

  /** Says whether the records stay, where they may. */
  #softly(mark: Mark | undefined): Pick<RecordFacts, 'soft'> {
    return this.#isSoft ? { soft: mark !== undefined } : {};
  }

  async #save(request: EndpointRequest, staged: StagedWrite): Promise<RecordKey> {
    const { record } = staged;
    const told = { facts: (): RecordFacts => ({ record, changes: staged.changes() }) };
    await staged.hold(() => this.#run('before', request, told));
    const key = await staged.write();
    if (Object.keys(staged.changes()).length > 0) await this.#finish(request, [told]);
    return key;
  }

  async #run(step: 'before' | 'after', request: EndpointRequest, { facts, place }: Told): Promise<void> {
    const hook = this.hooks[steps[this.operation][step]];
    if (hook === undefined) return;
    try {
      await hook(await this.#contextOf(request, facts()));
    } catch (error) {
      throw error instanceof InvalidInput ? this.#cased(error, place) : error;
    }
  }

  /** Does what follows written records. What functions left unwritten belongs to the transaction and to the answer. */
  async #finish(request: EndpointRequest, written: readonly Told[]): Promise<void> {
    for (const told of written) await this.#run('after', request, told);
    await this.#settle(request);
    for (const told of written) this.#leave(request, told);
  }

  async #settle({ session }: EndpointRequest): Promise<void> {
    if (this.reason !== undefined) await this.#store.writing.settle(session);
  }

  /** Leaves to be told of a record what is told once it is committed. */
  #leave(request: EndpointRequest, told: Told): void {
    const { session } = request;
    const { afterCommit } = this.hooks;
    if (afterCommit === undefined && !this.isHeard) return;
    const facts = told.facts();
    const call = async (): Promise<void> => {
      await afterCommit?.(await this.#contextOf(request, facts));
    };
    if (afterCommit !== undefined) session.afterCommit(() => this.#attempt(request, 'afterCommit', call));
    if (this.isHeard)
      session.afterCommit(() =>
        this.#attempt(request, `a listener to ${this.#event}`, () => this.#announce(request, facts)),
      );
  }

  /** @throws TypeError for a store that cannot: its endpoints do not start */
  get #bulk(): BulkWriting {
    const { bulkWriting } = this.#store;
    if (bulkWriting === undefined) throw new TypeError('Many records cannot be written as one here');
    return bulkWriting;
  }

  /** The write is committed, whatever becomes of this. */
  async #attempt(request: EndpointRequest, what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.events.failed(request, what, error);
    }
  }

  #announce(request: EndpointRequest, { record, changes, soft }: RecordFacts): Promise<void> {
    const { authorizationData: identity, requestId } = request;
    return this.events.announce(this.#event, {
      record,
      changes,
      identity,
      requestId,
      ...(soft === undefined ? {} : { soft }),
    });
  }

  async #contextOf(request: EndpointRequest, facts: RecordFacts): Promise<never> {
    await request.session.enter();
    const injected = (await this.#injection?.valuesFor(request)) ?? {};
    return request.context({ ...injected, operation: this.operation, ...facts }) as never;
  }

  /** Functions of a configuration know internal names, clients external ones, and where a record stands. */
  #cased({ inputErrors, hasWholeNames }: InvalidInput, place = ''): InvalidInput {
    const before = place === '' ? '' : `${place}.`;
    return new InvalidInput(
      new Map([...inputErrors].map(([name, message]) => [`${before}${this.#names.outward(name)}`, message])),
      hasWholeNames && place === '',
    );
  }

  get #isWatched(): boolean {
    return this.reason !== undefined || this.isHeard;
  }
}
