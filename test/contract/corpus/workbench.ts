import { sign } from 'node:crypto';
import type { SigningKey } from '../../support/signing.keys.js';
import { assembled, signed } from '../../support/tokens.js';
import type { CorpusKeys } from './keys.js';

/** Which of the four configurations accept a token: Registered claims, List of claims, Function, None. */
type Accepting = string;

/** A token with what it is for, and who accepts it. */
export type Labelled = readonly [label: string, accepting: Accepting, token: string];

export const issuer = 'https://issuer.test/';
export const audience = 'atlas';

type Add = (label: string, accepting: Accepting, token: Promise<string> | string) => Promise<void>;
type Change = (
  label: string,
  accepting: Accepting,
  changes: Readonly<Record<string, unknown>>,
) => Promise<void>;
type Text = (label: string, accepting: Accepting, payload: string | Buffer) => Promise<void>;

/** What the tokens of the corpus are made with. */
export interface Workbench extends CorpusKeys {
  /** In seconds. */
  readonly now: number;
  /** Where nobody must go. */
  readonly attacker: string;
  /** The claims of a token that all accept. */
  readonly usual: Readonly<Record<string, unknown>> & { readonly iss: string };
  readonly add: Add;
  /** Adds a token with other claims. */
  readonly claims: Change;
  /** Adds a token with other header parameters. */
  readonly header: Change;
  /** Adds a token with other header parameters that `jose` does not sign. */
  readonly raw: Change;
  /** Adds a token with any payload. */
  readonly text: Text;
}

/** A workbench, and the tokens that were made with it. */
export const workbench = (
  made: CorpusKeys,
  now: number,
  attacker: string,
): Workbench & { readonly tokens: readonly Labelled[] } => {
  const key = made.keys.es256;
  const usual = { iss: issuer, aud: audience, sub: 'alice', tenant: 'one', iat: now, exp: now + 60 };
  const tokens: Labelled[] = [];
  const add: Add = async (label, accepting, token) => {
    tokens.push([label, accepting, await token]);
  };
  return {
    ...made,
    now,
    attacker,
    usual,
    tokens,
    add,
    claims: (label, accepting, changes) =>
      add(label, accepting, signed(key, 'ES256', { ...usual, ...changes })),
    header: (label, accepting, changes) => add(label, accepting, signed(key, 'ES256', usual, changes)),
    raw: (label, accepting, changes) =>
      add(label, accepting, assembled({ alg: 'ES256', kid: key.kid, ...changes }, usual, es256(key))),
    text: (label, accepting, payload) => add(label, accepting, signed(key, 'ES256', payload)),
  };
};

/** ES256 of Node, for headers that `jose` refuses to sign. */
export const es256 =
  ({ node }: Pick<SigningKey, 'node'>) =>
  (input: Buffer): Buffer =>
    sign('sha256', input, { key: node, dsaEncoding: 'ieee-p1363' });
