import { liveEvents, type LiveEventsOptions } from './live.events.js';

/** Options of {@link followRecords}. */
export interface FollowOptions extends LiveEventsOptions {
  /** The member by which records are known. Default `id`. */
  readonly id?: string;
}

/**
 * The records of a list, or the one of a Get, whenever they have changed: in the order of the first page, new ones behind it.
 *
 * @example for await (const cities of followRecords<City>('/cities')) show(cities);
 * @throws LiveRefused where the service says no, and would say so again
 */
export async function* followRecords<R extends object>(
  url: string | URL,
  { id: idName = 'id', ...options }: FollowOptions = {},
): AsyncGenerator<readonly R[], void, undefined> {
  const records = new Map<string, R>();
  const keyOf = (record: R): string => JSON.stringify(Reflect.get(record, idName));
  for await (const event of liveEvents<R>(url, options)) {
    if (event.kind === 'connected') continue;
    if (event.kind === 'snapshot' || event.kind === 'reset') records.clear();
    if (event.kind === 'snapshot') for (const record of event.data) records.set(keyOf(record), record);
    if (event.kind === 'changed') records.set(keyOf(event.data), event.data);
    if (event.kind === 'left') records.delete(JSON.stringify(event.id));
    // A reset is followed by the records anew.
    if (event.kind !== 'reset') yield [...records.values()];
  }
}
