import type { Column } from '../model/column.js';
import { jsonCopy } from '../model/values/json.copy.js';
import { InvalidInput } from '../wire/refusals.js';

/** The input for a record, while it is being judged: values by column, complaints by the client's names. */
export class RecordInput {
  /** The values that the client sent, and those that the service sets beside them. */
  readonly values = new Map<Column, unknown>();
  readonly complaints = new Map<string, string>();
  /** The columns whose values the service takes from the request. */
  readonly setByService = new Set<Column>();
  /** True if every value was of its column's type; custom rules see only such input. */
  typesPassed = true;
  /** True if there are complaints about records within this one, by their places: their dots lead inside of members. */
  hasPlaces = false;

  /** The first message of a column wins. */
  complain(name: string, message: string): void {
    if (!this.complaints.has(name)) this.complaints.set(name, message);
  }

  /** Forgets the complaints behind the first ones: of a record that has turned out to be another one, which is judged anew. */
  forget(first: number): void {
    for (const name of [...this.complaints.keys()].slice(first)) this.complaints.delete(name);
  }

  refuseIfInvalid(): void {
    if (this.complaints.size > 0) throw new InvalidInput(this.complaints, !this.hasPlaces);
  }

  /** True if the client sent a value for the column. */
  hasSent(column: Column): boolean {
    return this.values.has(column) && !this.setByService.has(column);
  }

  /** The values that were sent, under their internal names, as custom rules see them: a copy for each trial. */
  requestData(): Record<string, unknown> {
    const sent = [...this.values].filter(([column]) => this.hasSent(column));
    return Object.fromEntries(sent.map(([{ name }, value]) => [name, jsonCopy(value)]));
  }
}
