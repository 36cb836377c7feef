import type { Announcements } from '../../endpoint/announcements.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { InjectMap, Injection } from '../../endpoint/request/injection.js';
import type { LifeCycleContext, WriteOperation } from '../../endpoint/options/life.cycle.options.js';
import type { Model } from '../../model/model.js';
import type {
  ColumnValues,
  RecordKey,
  RecordStore,
  StagedWrite,
  StoredRecord,
} from '../../records/record.store.js';
import type { WriteSteps } from '../../records/writes/unit.parts.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { NameTable } from '../../wire/name.table.js';
import { InvalidInput } from '../../wire/refusals.js';

/** The functions that run around a write, and the event that tells of it. */
const steps = {
  create: { before: 'beforeSave', after: 'afterSave', event: 'created' },
  update: { before: 'beforeSave', after: 'afterSave', event: 'updated' },
  delete: { before: 'beforeDelete', after: 'afterDelete', event: 'deleted' },
} as const satisfies Record<WriteOperation, object>;

type HookName = (typeof steps)[WriteOperation]['before' | 'after'] | 'afterCommit';
type Hook = (context: never) => unknown;

/** Names that functions get beside what all functions get. */
const taken = ['operation', 'record', 'changes'] as const satisfies readonly (keyof LifeCycleContext)[];

/** The options that say what takes part in writes. */
export type HookSource = Readonly<Partial<Record<HookName, Hook | undefined>>> & {
  readonly inject?: InjectMap | undefined;
};

type RecordFacts = Pick<LifeCycleContext, 'record' | 'changes'>;

/** The steps of writes, and who takes part in them. */
export interface WatchedSteps extends WriteSteps<EndpointRequest> {
  /** The reason why functions of the user's need MikroORM; undefined where there are none. */
  readonly reason: string | undefined;
  /** True if somebody listens to the events of these writes now: listeners may come and go. */
  readonly isHeard: boolean;
}

/** The user's own functions and listeners around the writes of an endpoint. Made once per endpoint. */
export class LifeCycle implements WatchedSteps {
  readonly reason: string | undefined;
  readonly #store: RecordStore;
  readonly #names: NameTable;
  readonly #announcements: Announcements;
  readonly #event: string;
  readonly #injection: Injection | undefined;

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
    this.#names = context.names;
    this.#announcements = context.announcements;
    this.#event = `endpoints.${model.meta.className}.${event}`;
    this.#injection = hooks.inject && context.injection('inject', hooks.inject, taken);
  }

  /** True if any options are about the life cycle. */
  static takesPart(hooks: HookSource): boolean {
    const names: readonly string[] = Object.values(steps).flatMap(({ before, after }) => [before, after]);
    return [...names, 'afterCommit'].some((name) => Reflect.get(hooks, name) !== undefined);
  }

  get isHeard(): boolean {
    return this.#announcements.hears(this.#event);
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

  async delete(request: EndpointRequest, record: StoredRecord): Promise<void> {
    const { writing } = this.#store;
    const { session } = request;
    const facts = (): RecordFacts => ({ record, changes: {} });
    await this.#run('before', request, facts);
    await writing.delete(session, record);
    await this.#finish(request, facts);
  }

  async #save(request: EndpointRequest, staged: StagedWrite): Promise<RecordKey> {
    const { record } = staged;
    const facts = (): RecordFacts => ({ record, changes: staged.changes() });
    await staged.hold(() => this.#run('before', request, facts));
    const key = await staged.write();
    if (Object.keys(staged.changes()).length > 0) await this.#finish(request, facts);
    return key;
  }

  async #run(step: 'before' | 'after', request: EndpointRequest, factsOf: () => RecordFacts): Promise<void> {
    const hook = this.hooks[steps[this.operation][step]];
    if (hook === undefined) return;
    try {
      await hook(await this.#contextOf(request, factsOf()));
    } catch (error) {
      throw error instanceof InvalidInput ? this.#cased(error) : error;
    }
  }

  /** Does what follows a written record. What functions left unwritten belongs to the transaction and to the answer. */
  async #finish(request: EndpointRequest, factsOf: () => RecordFacts): Promise<void> {
    const { session } = request;
    await this.#run('after', request, factsOf);
    if (this.reason !== undefined) await this.#store.writing.settle(session);
    const { afterCommit } = this.hooks;
    if (afterCommit === undefined && !this.isHeard) return;
    const facts = factsOf();
    const call = async (): Promise<void> => {
      await afterCommit?.(await this.#contextOf(request, facts));
    };
    if (afterCommit !== undefined) session.afterCommit(() => this.#attempt(request, 'afterCommit', call));
    if (this.isHeard)
      session.afterCommit(() =>
        this.#attempt(request, `a listener to ${this.#event}`, () => this.#announce(request, facts)),
      );
  }

  /** The write is committed, whatever becomes of this. */
  async #attempt(request: EndpointRequest, what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#announcements.failed(request, what, error);
    }
  }

  #announce(request: EndpointRequest, facts: RecordFacts): Promise<void> {
    const { authorizationData: identity, requestId } = request;
    return this.#announcements.announce(this.#event, { ...facts, identity, requestId });
  }

  async #contextOf(request: EndpointRequest, facts: RecordFacts): Promise<never> {
    await request.session.enter();
    const injected = (await this.#injection?.valuesFor(request)) ?? {};
    return request.context({ ...injected, operation: this.operation, ...facts }) as never;
  }

  /** Functions of a configuration know internal names, clients external ones. */
  #cased({ inputErrors, hasWholeNames }: InvalidInput): InvalidInput {
    return new InvalidInput(
      new Map([...inputErrors].map(([name, message]) => [this.#names.outward(name), message])),
      hasWholeNames,
    );
  }

  get #isWatched(): boolean {
    return this.reason !== undefined || this.isHeard;
  }
}

/** @throws ConfigurationError for what is no function, as JavaScript may give */
function isGiven(owner: string, name: HookName, hooks: HookSource): boolean {
  const hook: unknown = hooks[name];
  if (hook !== undefined && typeof hook !== 'function')
    throw new ConfigurationError(owner, name, 'must be a function');
  return hook !== undefined;
}
