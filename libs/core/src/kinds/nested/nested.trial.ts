import type { EntityMetadata } from '@mikro-orm/core';
import type { RulingEndpoint } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RecordKey } from '../../records/record.store.js';
import { InvalidInput, mostComplaints } from '../../wire/refusals.js';
import { namedTwice } from '../../records/writes/bulk/named.twice.js';

/** A record that a body changes. */
interface ChangedRecord {
  readonly id: RecordKey;
  readonly place: string;
  /** The place of what it is named by. */
  readonly key: string;
}

/** One attempt at the transaction of a request, with the parts that write related records in it. */
export class NestedTrial {
  readonly #parts = new Map<RulingEndpoint, EndpointRequest>();
  /** The complaints about one more place of a record that is changed, by the classes of entities and by keys. */
  readonly #changed = new Map<unknown, Map<string, string>>();

  constructor(readonly whole: EndpointRequest) {}

  /** The request as an endpoint has it by whose rules it writes; itself where there is none. */
  requestOf(ruler: RulingEndpoint | undefined): EndpointRequest {
    if (ruler === undefined) return this.whole;
    const known = this.#parts.get(ruler);
    if (known !== undefined) return known;
    const part = ruler.part(this.whole);
    this.#parts.set(ruler, part);
    return part;
  }

  /** Remembers the record that the request is about: its body says itself what becomes of it. */
  enter({ root }: EntityMetadata, id: RecordKey): void {
    this.#changedOf(root).set(String(id), 'this is the record itself, which the body changes already');
  }

  /**
   * Remembers records that are changed. Each may be in one place of a body: of two values one would be lost. Places may name it by
   * different columns, or as the parent of several records, so that it is not known before they are found.
   * @throws InvalidInput
   */
  change({ root }: EntityMetadata, records: readonly ChangedRecord[]): void {
    const changed = this.#changedOf(root);
    const complaints = new Map<string, string>();
    for (const { id, place, key } of records) {
      const message = changed.get(String(id));
      if (message === undefined) changed.set(String(id), namedTwice(place));
      else if (complaints.size < mostComplaints) complaints.set(key, message);
    }
    if (complaints.size > 0) throw new InvalidInput(complaints);
  }

  #changedOf(root: EntityMetadata): Map<string, string> {
    const known = this.#changed.get(root.class) ?? new Map<string, string>();
    this.#changed.set(root.class, known);
    return known;
  }
}
