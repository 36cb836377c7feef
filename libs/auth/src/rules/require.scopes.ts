import { Authorization, ConfigurationError, optionChecks } from '@nest-endpoints/core';
import { claimOf } from './claims.of.js';
import { judgesAlone } from './judges.alone.js';

const scopeClaims = ['scope', 'scp'];

/**
 * Lets requests in whose token has all of these scopes. They stand in `scope`, a text with spaces between them (RFC 8693,
 * 4.2; RFC 9068, 2.2.3), or in `scp`, which some identity providers send as a text or as a list.
 *
 * @example new RequireScopes('trips:read', 'trips:write')
 */
export class RequireScopes extends Authorization {
  readonly scopes: readonly string[];

  constructor(...scopes: readonly (string | readonly string[])[]) {
    super();
    this.scopes = scopes.flat();
    const problem = optionChecks.listOf('scopes', optionChecks.filledText, 1).complaint(this.scopes);
    if (problem !== undefined) throw new ConfigurationError('RequireScopes', 'scopes', problem);
  }

  /** The claims that this class looks at. A class that extends it and looks at more says so. */
  get identityClaims(): readonly string[] | undefined {
    return judgesAlone(this, RequireScopes.prototype) ? scopeClaims : undefined;
  }

  override gate(identity: unknown): boolean {
    const granted = new Set(scopeClaims.flatMap((name) => listed(claimOf(identity, name))));
    return this.scopes.every((scope) => granted.has(scope));
  }
}

function listed(claim: unknown): readonly unknown[] {
  return typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
}
