/**
 * The types of the application's own, which it says once by adding to this interface. Without a member the types are
 * unknown.
 *
 * - `identity`: of `authorizationData` wherever it is given. With endpoints that are public it is `… | undefined`.
 *
 * @example
 * declare module '@nest-endpoints/core' {
 *   interface Register {
 *     identity: { readonly sub: string; readonly tenant: number };
 *   }
 * }
 */
export interface Register {}

/** The identity of senders, as the application has declared it in {@link Register}; unknown where it has not. */
export type Identity = Register extends { readonly identity: infer Declared } ? Declared : unknown;

/** The identity of a sender who may not be known, or not yet. */
export type CurrentIdentity = Register extends { readonly identity: infer Declared }
  ? Declared | undefined
  : unknown;

/** The names of an identity's claims; any text where its type says none. */
export type ClaimOf<Who> = unknown extends Who ? string : Who extends object ? keyof Who & string : never;

/** A function of an identity, for which it may say a narrower type than the application has declared. */
export type IdentityFunction<Result, More extends readonly unknown[] = []> = {
  // A method: parameters of one may be narrower.
  call(identity: Identity, ...more: More): Result;
}['call'];
