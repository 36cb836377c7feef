import type { ChangePlace } from '@nest-endpoints/core';
import type { Cancellation, SeenRecords, Sight } from '@nest-endpoints/core/internal';
import { eventText } from './event.text.js';

/** The most bytes that a client may be behind, beside the first page; more than one record that are longer are not told. */
export const mostBehind = 262_144;

/** The records that are read with one statement. */
const page = 500;

/** A record as all streams send it that see it. */
interface ToldRecord {
  /** The event of its change. */
  readonly event: string;
  /** Its key as the endpoint shows it. */
  readonly id: string;
}

/** Records that changed, and those of them that are seen. */
export interface Told {
  readonly place: ChangePlace;
  readonly keys: readonly string[];
  readonly seen: ReadonlyMap<string, ToldRecord>;
  /** The characters of its events. */
  readonly length: number;
}

/** The records that a stream begins with, as all streams send them that see the same. */
export interface FirstPage {
  /** The event of all of them. */
  readonly event: Buffer;
  readonly records: SeenRecords;
}

/** Writes the data of an event: an object with one member, which is JSON already. */
export function memberText(word: string, text: string): string {
  return `{${JSON.stringify(word)}:${text}}`;
}

/**
 * Reads the records of the first page, and writes their event once for all streams. Undefined where a single record is asked for, and
 * is not there.
 *
 * @param word the name of `data` on the wire
 * @param cancellation of whoever waits for it
 */
export async function readFirst(
  sight: Sight,
  word: string,
  cancellation: Cancellation,
): Promise<FirstPage | undefined> {
  const first = await sight.first(cancellation);
  if (first === undefined) return undefined;
  const { data, records } = first;
  return { event: Buffer.from(eventText('snapshot', memberText(word, data))), records };
}

/**
 * Reads what changed records are by now, and writes their events once for all streams.
 *
 * @param word the name of `data` on the wire
 * @param cancellation of whoever waits for it
 * @returns undefined where it is too long to be told: then its streams begin anew
 */
export async function readTold(
  sight: Sight,
  { keys, place }: Pick<Told, 'keys' | 'place'>,
  word: string,
  cancellation: Cancellation,
): Promise<Told | undefined> {
  const seen = new Map<string, ToldRecord>();
  let length = 0;
  for (let from = 0; from < keys.length; from += page) {
    const records = await sight.seen(keys.slice(from, from + page), cancellation);
    for (const [key, { text, id }] of records) {
      const event = eventText('changed', memberText(word, text));
      seen.set(key, { event, id });
      length += event.length;
    }
    // One record alone is told at any length: its page would be longer.
    if (length > mostBehind && seen.size > 1) return undefined;
  }
  return { place, keys, seen, length };
}
