import { mostComplaints } from './refusals.js';

/** The complaints about an input, by name or place: the first of each, and no more than an answer has. */
export class FirstComplaints {
  readonly messages = new Map<string, string>();

  /** True if an answer has no room for more. */
  get isFull(): boolean {
    return this.messages.size >= mostComplaints;
  }

  add(name: string, message: string): void {
    if (!this.isFull && !this.messages.has(name)) this.messages.set(name, message);
  }
}
