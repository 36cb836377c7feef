import { createHash } from 'node:crypto';
import type { ChangePlace } from '@nest-endpoints/core';
import type { Seal } from '@nest-endpoints/core/internal';

/** The most characters of keys that a place may have: it comes back in a header. */
const longestKeys = 2048;

/** The place before all changes. */
export const beginning: ChangePlace = { transaction: '0', id: '0' };

/** The place of a stream: what it has been told of, and the records that it was sent. */
export interface StreamPlace {
  readonly at: ChangePlace;
  /** The time at which it was there, in milliseconds since 1970. */
  readonly time: number;
  /** The keys of the records that were sent, with their JSON texts; undefined where these were too many. */
  readonly sent: ReadonlyMap<string, string> | undefined;
}

type Written = readonly [transaction: string, id: string, time: number, ids: string | null];

/** Turns places into texts that clients carry and cannot read, each good for one sender who asks for the same. */
export class StreamPlaces {
  readonly #use: string;

  /** @param words all that the streams have in common for which a place is good */
  constructor(
    private readonly seal: Seal,
    ...words: readonly string[]
  ) {
    this.#use = createHash('sha256').update(JSON.stringify(words)).digest('base64url');
  }

  write({ at, time, sent }: StreamPlace): string {
    const written: Written = [at.transaction, at.id, time, sent === undefined ? null : idsOf(sent)];
    return this.seal.seal(written, this.#use);
  }

  /** Undefined for what was made elsewhere, for something else, or for somebody else. */
  read(text: string): StreamPlace | undefined {
    const opened = this.seal.open(text, this.#use)?.value as Written | undefined;
    if (opened === undefined) return undefined;
    const [transaction, id, time, ids] = opened;
    return { at: { transaction, id }, time, sent: ids === null ? undefined : sentOf(ids) };
  }
}

/** The texts of ids, a list in JSON; null where they are too long, or do not tell the keys. */
function idsOf(sent: ReadonlyMap<string, string>): string | null {
  if (sent.size > longestKeys) return null;
  let text = '';
  for (const [key, id] of sent) {
    if (String(JSON.parse(id)) !== key) return null;
    text += text === '' ? id : `,${id}`;
    if (text.length > longestKeys) return null;
  }
  return text;
}

function sentOf(ids: string): ReadonlyMap<string, string> {
  const all = JSON.parse(`[${ids}]`) as readonly unknown[];
  return new Map(all.map((id) => [String(id), JSON.stringify(id)]));
}

/** True if a place is behind another one. */
export function isBehind(one: ChangePlace, other: ChangePlace): boolean {
  const [first, second] = [BigInt(one.transaction), BigInt(other.transaction)];
  return first === second ? BigInt(one.id) > BigInt(other.id) : first > second;
}
