import { NotAuthorized } from '@nest-endpoints/core';
import { identityKey, isStorable } from '@nest-endpoints/core/internal';

/**
 * The issuer and the subject of an identity; undefined where nothing tells it from others, or no database can keep what does. A
 * subject without a letter is nobody's: the application's own subscriptions have none.
 */
export function ownerOf(identity: unknown): readonly [issuer: string, subject: string] | undefined {
  if (identityKey(identity) === undefined) return undefined;
  const { iss, sub, keyId } = Object(identity) as Readonly<Record<'iss' | 'sub' | 'keyId', unknown>>;
  // A key is told from a subject by its issuer, which no token can have.
  const owner = isScalar(sub)
    ? ([isScalar(iss) ? String(iss) : '', String(sub)] as const)
    : (['\u001fkey', String(keyId)] as const);
  return owner[1] !== '' && hasStorableTexts([owner, identity]) ? owner : undefined;
}

/** The owner that a request's sender is. @throws NotAuthorized for whom nothing tells from others */
export function knownOwner(identity: unknown): readonly [issuer: string, subject: string] {
  const owner = ownerOf(identity);
  if (owner === undefined || owner.some(({ length }) => length > 500)) throw new NotAuthorized();
  return owner;
}

/** True if a database can keep all texts within a value: the claims of a subscription are the whole identity. */
function hasStorableTexts(value: unknown): boolean {
  let isKept = true;
  try {
    JSON.stringify(value, (name, member: unknown) => {
      isKept &&= isStorable(name) && (typeof member !== 'string' || isStorable(member));
      return member;
    });
  } catch {
    // What is no JSON, such as a BigInt or a cycle, is no column of JSON either.
    return false;
  }
  return isKept;
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
