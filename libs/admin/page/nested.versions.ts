import type { RecordId } from '@nest-endpoints/client';
import type { EndpointsDataProvider } from '@nest-endpoints/react-admin';
import type { NestedRecords } from './model/screen.js';
import type { NestedChanges } from './nested.changes.js';

/**
 * Names the version of each record that is changed along with another one: the one that the form has shown.
 * @throws EndpointsError with the status 412 where somebody else has changed one since
 */
export async function versionedChanges(
  { client }: EndpointsDataProvider,
  { resource, versionName }: NestedRecords,
  changes: NestedChanges,
): Promise<NestedChanges> {
  if (resource === undefined || versionName === undefined || changes.update.length === 0) return changes;
  const records = await client.records(resource);
  const update = changes.update.map(async (entry, index) => {
    const [key, previous] = changes.seen[index] ?? [];
    const version = await records.version(key as RecordId, { previous });
    return version === undefined ? entry : { ...entry, [versionName]: version };
  });
  return { ...changes, update: await Promise.all(update) };
}
