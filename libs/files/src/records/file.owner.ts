import { createHash } from 'node:crypto';
import { identityKey, senderText } from '@nest-endpoints/core/internal';

/**
 * Digest of who announces a file, by which they are known when it becomes part of a record: of all that their identity tells, the
 * tenant, too. Null for who has no identity; undefined where it does not show who they are.
 */
export function ownerOf(identity: unknown): string | null | undefined {
  if (identity === undefined || identity === null) return null;
  const text = senderText(identity) ?? identityKey(identity);
  return text && createHash('sha256').update(text).digest('base64url');
}
