import {
  Authorization,
  checkArguments,
  optionChecks,
  type ClaimOf,
  type Identity,
} from '@nest-endpoints/core';
import { claimOf } from './claims.of.js';
import { judgesAlone } from './judges.alone.js';

/** A claim with the values it may have. */
type Allowed = string | number | boolean | readonly (string | number | boolean)[];

/** The names of claims, as the application has declared its identity. */
type Name = ClaimOf<Identity>;

const { boolean, check, either, filledText, finiteNumber, listOf, mapOf, text } = optionChecks;

const value = either('a text, a number, true, false', text, finiteNumber, boolean);

const values = mapOf(
  'an object with values by the names of claims',
  either('a text, a number, true, false, or a list of them', value, listOf('values', value, 1)),
);

const names = either('', filledText, listOf('names', filledText, 1));

const claimList = listOf(
  'claims',
  check(
    "a name, or an object with values, e.g. 'email' or { role: ['editor', 'admin'] }",
    (claim) =>
      names.complaint(claim) === undefined ||
      (values.complaint(claim) === undefined && Object.keys(claim as object).length > 0),
  ),
  1,
);

/**
 * Lets those in whose identity has all of these claims. A claim that only has to be there is named. A claim that must
 * have a value is given with it, or with a list of values of which one is enough. A claim that is a list has all values
 * in it.
 *
 * @example new RequireClaims('email', { role: ['editor', 'admin'], email_verified: true })
 */
export class RequireClaims extends Authorization {
  readonly #required: readonly (readonly [name: string, allowed: readonly unknown[] | undefined])[];

  constructor(...claims: readonly (Name | readonly Name[] | Readonly<Partial<Record<Name, Allowed>>>)[]) {
    super();
    checkArguments('RequireClaims', { claims: [claims, claimList] });
    this.#required = claims.flatMap((claim): [string, readonly unknown[] | undefined][] => {
      if (typeof claim === 'string') return [[claim, undefined]];
      if (Array.isArray(claim)) return (claim as readonly string[]).map((name) => [name, undefined]);
      return Object.entries(claim as Readonly<Record<string, Allowed>>).map(([name, allowed]) => [
        name,
        [allowed].flat(),
      ]);
    });
  }

  /** The claims that this class looks at. A class that extends it and looks at more says so. */
  get identityClaims(): readonly string[] | undefined {
    return judgesAlone(this, RequireClaims.prototype) ? this.#required.map(([name]) => name) : undefined;
  }

  override gate(identity: unknown): boolean {
    return this.#required.every(([name, allowed]) => {
      const claim = claimOf(identity, name);
      if (claim === undefined) return false;
      return allowed === undefined || [claim].flat().some((value) => allowed.includes(value));
    });
  }
}
