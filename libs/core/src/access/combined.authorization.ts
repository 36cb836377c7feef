import type { EntityMetadata } from '@mikro-orm/core';
import { listOf } from '../options/checks.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { authorization as authorizationRule } from './authorization.check.js';
import {
  Authorization,
  claimsOf,
  narrows,
  type AuthorizationRequest,
  type AuthorizationRule,
} from './authorization.js';

/** A rule that is made of others. */
export class CombinedAuthorization extends Authorization {
  /** @param needed whether a request must be allowed by all of the rules, or by any of them */
  constructor(
    readonly needed: 'all' | 'any',
    readonly rules: readonly AuthorizationRule[],
  ) {
    super();
    const problem = listOf('authorizations', authorizationRule, 1).complaint(rules);
    if (problem !== undefined) throw new ConfigurationError(`${needed}Of`, 'rules', problem);
  }

  get narrows(): boolean {
    return this.rules.some(narrows);
  }

  get isAboutRecords(): boolean {
    return this.rules.every((rule) => rule.isAboutRecords === true);
  }

  get identityClaims(): readonly string[] | undefined {
    return claimsOf(this.rules);
  }

  /** True if the rules allow a request. Where all must, none is asked behind one that does not: it may count on those before. */
  override async gate(authorizationData: unknown, request: AuthorizationRequest): Promise<boolean> {
    if (this.needed === 'any') return (await this.allowing(authorizationData, request)).length > 0;
    for (const rule of this.rules) if (!(await allows(rule, authorizationData, request))) return false;
    return true;
  }

  override concerns(entity: EntityMetadata): boolean {
    return this.rules.some((rule) => rule.concerns(entity));
  }

  misfit(entity: EntityMetadata, all: readonly EntityMetadata[]): string | undefined {
    for (const rule of this.rules) {
      const problem = rule.misfit?.(entity, all);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** The rules whose gates let a request through. */
  async allowing(
    authorizationData: unknown,
    request: AuthorizationRequest,
  ): Promise<readonly AuthorizationRule[]> {
    const allowing: AuthorizationRule[] = [];
    for (const rule of this.rules) if (await allows(rule, authorizationData, request)) allowing.push(rule);
    return allowing;
  }
}

/** True if a rule says so; what JavaScript may give beside true is no yes. */
async function allows(
  rule: AuthorizationRule,
  authorizationData: unknown,
  request: AuthorizationRequest,
): Promise<boolean> {
  const answer: unknown = await rule.gate(authorizationData as never, request);
  return answer === true;
}

/** The name of a rule, for people: its class, and what a combined one is made of. */
export function ruleName(rule: AuthorizationRule): string {
  if (!(rule instanceof CombinedAuthorization)) return rule.constructor.name;
  return `${rule.needed}Of(${rule.rules.map(ruleName).join(', ')})`;
}

/** True if the gate of a rule gets the request, through which it can ask the database. */
export function seesRequest(rule: AuthorizationRule): boolean {
  if (rule instanceof CombinedAuthorization) return rule.rules.some(seesRequest);
  return rule.gate.length > 1 && (rule.gate as unknown) !== Authorization.prototype.gate;
}

/** A rule that holds when all of these do: each must allow a request, which sees the records that all let it see. */
export function allOf(...rules: readonly AuthorizationRule[]): AuthorizationRule {
  return new CombinedAuthorization('all', rules);
}

/**
 * A rule that holds when one of these does: a request sees the records that any rule lets it see whose gate allows it.
 *
 * @example anyOf(new RequireScopes('admin'), new OwnRecords('owner', 'sub'))
 */
export function anyOf(...rules: readonly AuthorizationRule[]): AuthorizationRule {
  return new CombinedAuthorization('any', rules);
}
