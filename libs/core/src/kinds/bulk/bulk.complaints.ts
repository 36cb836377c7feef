import type { RecordInput } from '../../request/record.input.js';
import type { PlacedInput } from '../../records/writes/bulk/bulk.writes.js';
import { FirstComplaints } from '../../wire/first.complaints.js';
import { InvalidInput } from '../../wire/refusals.js';
import type { NamedTarget } from './bulk.targets.js';

/** The complaints about the records of a request, by place. */
export class Complaints extends FirstComplaints {
  /** The steps of places before the names of columns: `records.3`, `changes`, or `stops.create.0`. */
  #steps = 2;

  of({ place, input }: Pick<PlacedInput<RecordInput | undefined>, 'place' | 'input'>): this {
    this.#steps = place.split('.').length;
    for (const [name, message] of input?.complaints ?? []) this.add(`${place}.${name}`, message);
    return this;
  }

  ofTarget({ complaint }: NamedTarget): this {
    if (complaint !== undefined) this.add(...complaint);
    return this;
  }

  /** @throws InvalidInput with what was said */
  refuse(): void {
    if (this.messages.size > 0) throw new InvalidInput(this.messages, true, this.#steps);
  }
}
