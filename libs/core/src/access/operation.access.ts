import { Authorization, type AuthorizationRule } from './authorization.js';
import { Public, type Authentication } from './authentication.js';

/** The operations of endpoints, as `access` names them. Searches list; what is none of the others is a call. */
export const operations = ['list', 'get', 'create', 'update', 'upsert', 'delete', 'call'] as const;

export type Operation = (typeof operations)[number];

/**
 * The operations whose access an operation needs, all of them, its own last: an Upsert does what a Create does, and what an
 * Update does.
 */
export function neededFor(operation: Operation): readonly [Operation, ...Operation[]] {
  return operation === 'upsert' ? ['create', 'update', 'upsert'] : [operation];
}

/** The two sides of access: who may ask at all, and what they may do. */
export interface AccessSides {
  /** The authentication of the operation, in place of the one around it. Default: that one. */
  readonly authentication?: Authentication;
  /** A rule beside those around it. Default: none. */
  readonly authorization?: AuthorizationRule;
}

/** The access to an operation: `public` for everybody, an authentication, an authorization, or both. */
export type OperationAccess = 'public' | Authentication | AuthorizationRule | AccessSides;

/**
 * The access to operations, by their names. What is not named has the access of the group.
 *
 * @example { create: agents, delete: admins, list: 'public' }
 */
export type Access<Names extends Operation = Operation> = Readonly<Partial<Record<Names, OperationAccess>>>;

/** The authentication and the authorization that an access says. */
export function sidesOf(access: OperationAccess): AccessSides {
  if (access === 'public') return { authentication: new Public() };
  if (access instanceof Authorization) return { authorization: access };
  return isAuthentication(access) ? { authentication: access } : (access as AccessSides);
}

function isAuthentication(access: Exclude<OperationAccess, 'public'>): access is Authentication {
  return typeof Reflect.get(access, 'authenticate') === 'function';
}
