import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Model } from '../../model/model.js';
import type { RecordStore, StoredRecord } from '../../records/record.store.js';
import type { RelatedWrites, WrittenRecord } from '../../records/writes/unit.parts.js';
import type { RecordInput } from '../../request/record.input.js';
import { NestedReader } from './nested.reader.js';
import { NestedRelations } from './nested.relations.js';
import { NestedTrial } from './nested.trial.js';
import { writeAfter, writeBefore } from './level.writes.js';
import type { NestedVerb } from './related.shape.js';

type Body = ReadonlyMap<string, unknown>;

/** Writes the related records that bodies have, in the transaction of the record that they are related to. Made once per endpoint. */
export class NestedWrites implements RelatedWrites<EndpointRequest, RecordInput> {
  readonly #store: RecordStore;
  readonly #trials = new WeakMap<EndpointRequest, NestedTrial>();
  readonly #isChanged = new WeakMap<NestedTrial, () => boolean>();

  private constructor(
    context: KindContext,
    model: Model,
    readonly level: NestedRelations,
  ) {
    this.#store = context.store(model);
  }

  /** Undefined where bodies have no related records. @throws ConfigurationError, also once the application is ready */
  static of(
    context: KindContext,
    model: Model,
    options: Parameters<(typeof NestedRelations)['of']>[2],
    verb: NestedVerb,
  ): NestedWrites | undefined {
    const level = NestedRelations.of(context, model, options, verb);
    return level && new NestedWrites(context, model, level);
  }

  /**
   * Reads a body, and asks the gates of the endpoints by whose rules its related records are written.
   *
   * @param read reads what is left of the body: the record itself
   * @throws NotAuthorized
   */
  async read(body: Body, request: EndpointRequest, read: (own: Body) => RecordInput): Promise<RecordInput> {
    const reader = new NestedReader(request);
    const { own, plans } = this.level.read(body, '', reader);
    await reader.authorize();
    const input = read(own);
    this.level.keep(input, plans);
    for (const [place, message] of reader.complaints) input.complain(place, message);
    input.hasPlaces = reader.complaints.size > 0;
    return input;
  }

  /** Gives what runs a write in the transaction of the related records of a body. */
  around(request: EndpointRequest, input: RecordInput): <T>(work: () => Promise<T>) => Promise<T> {
    return (work) => this.transaction(request, input, work);
  }

  /** Tried again as a whole: nothing of an earlier attempt is left. */
  async transaction<T>(request: EndpointRequest, input: RecordInput, work: () => Promise<T>): Promise<T> {
    const { session } = request;
    if (this.level.plansOf(input).length === 0) return this.#store.transaction(session, work);
    let isRepeated = false;
    try {
      return await session.shared(() => {
        if (isRepeated) this.#store.bulkWriting?.forget(session);
        isRepeated = true;
        this.#trials.set(request, new NestedTrial(request));
        return work();
      });
    } catch (error) {
      this.#forget(input);
      throw error;
    }
  }

  async before(request: EndpointRequest, input: RecordInput, record?: StoredRecord): Promise<void> {
    const trial = this.#trials.get(request);
    if (trial === undefined) return;
    if (record !== undefined) this.watch(request, record);
    await writeBefore(trial, this.level, [input]);
  }

  watch(request: EndpointRequest, record: StoredRecord): void {
    const trial = this.#trials.get(request);
    if (trial !== undefined) this.#isChanged.set(trial, this.level.owners.watch(trial, record));
  }

  async after(request: EndpointRequest, input: RecordInput, written: WrittenRecord): Promise<void> {
    const trial = this.#trials.get(request);
    if (trial === undefined) return;
    trial.enter(this.level.model.meta, written.id);
    const [areChanged = false] = await writeAfter(trial, this.level, [{ input, ...written }]);
    if (!areChanged || written.isNew || this.#isChanged.get(trial)?.() === true) return;
    const { record = (await this.level.owners.locate(trial, [written.id]))[0] } = written;
    if (record !== undefined) await this.level.owners.touch(trial, [record]);
  }

  /** Takes the keys of records away that were undone: nobody is to be asked about them. */
  #forget(input: RecordInput): void {
    for (const { relation, creates } of this.level.plansOf(input))
      if (relation.shape.key !== undefined && creates.length > 0) input.values.delete(relation.shape.key);
  }
}
