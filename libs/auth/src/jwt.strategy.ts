import { Strategy } from 'passport-jwt';

/** Hears what became of a request: its user, or why there is none. */
export type VerifiedCallback = (error: unknown, user?: unknown, info?: unknown) => void;

/** Makes a user of the claims of a token. */
export type VerifyCallback = (claims: never, done: VerifiedCallback) => void;

/** A strategy of Passport, as far as whoever extends one needs to know it. */
export interface PassportJwtStrategy {
  name: string;
  authenticate(request: never, options?: unknown): void;
  success(user: object, info?: unknown): void;
  fail(challenge?: unknown, status?: number): void;
  pass(): void;
  error(error: unknown): void;
}

/** The class of passport-jwt with types of our own. Applications would have to install the package of its own types. */
export const PassportJwtStrategy = Strategy as unknown as new (
  options: object,
  verify: VerifyCallback,
) => PassportJwtStrategy;
