import type { Column } from '../model/column.js';
import { InvalidInput } from '../wire/refusals.js';

/** What a client sent for a record, while it is being judged: values by column, complaints by the client's names. */
export class RecordInput {
  readonly values = new Map<Column, unknown>();
  readonly complaints = new Map<string, string>();
  /** Whether every value was of its column's type; custom rules see only such input. */
  typesPassed = true;

  /** The first message of a column wins. */
  complain(name: string, message: string): void {
    if (!this.complaints.has(name)) this.complaints.set(name, message);
  }

  refuseIfInvalid(): void {
    if (this.complaints.size > 0) throw new InvalidInput(this.complaints);
  }

  /** The values under their internal names, as custom rules see them. */
  requestData(): Record<string, unknown> {
    return Object.fromEntries([...this.values].map(([{ name }, value]) => [name, value]));
  }
}
