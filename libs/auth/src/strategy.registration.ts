import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { ConfigurationError } from '@nest-endpoints/core';
import type { PassportStatic, Strategy } from 'passport';
import type { Jwks } from './jwks.js';
import type { JwksStrategy } from './jwks.strategy.js';

/** The part of `Jwks` that a strategy asks. */
type Judge = Pick<Jwks, 'authenticate'>;

const judges = new WeakMap<object, Judge>();

/**
 * The registration of a strategy under its name in Passport, while its application runs. Passport has one list in a
 * process. Another strategy of that name would judge requests of this one, or the other way around.
 */
export class StrategyRegistration implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Another application's of the same Jwks, which judges alike. */
  #replaced: object | undefined;

  constructor(
    private readonly passport: PassportStatic,
    private readonly name: string,
    private readonly strategy: JwksStrategy,
    private readonly judge: Judge,
  ) {
    this.#free();
  }

  /** Takes the name. Strategies of the user's own are there by now: `PassportStrategy` registers when they are made. */
  onApplicationBootstrap(): void {
    const other = this.#free();
    this.#replaced = other;
    judges.set(this.strategy, this.judge);
    this.passport.use(this.name, this.strategy);
  }

  /** Gives the name back: no request comes in any more, and another application of this process may take it. */
  onApplicationShutdown(): void {
    judges.delete(this.strategy);
    if (this.#current() !== this.strategy) return;
    const before = this.#replaced;
    if (before !== undefined && judges.has(before)) this.passport.use(this.name, before as Strategy);
    else this.passport.unuse(this.name);
  }

  /** The strategy that this one may take the place of. @throws ConfigurationError when another one has the name */
  #free(): object | undefined {
    const other = this.#current();
    if (other === undefined || judges.get(other) === this.judge) return other;
    throw new ConfigurationError(
      'JwksStrategyModule',
      'name',
      `'${this.name}' is the name of another strategy of this process: give this one another name, or close the application that has it`,
    );
  }

  /** The types do not know how Passport itself looks a strategy up. */
  #current(): object | undefined {
    const { _strategy: find } = this.passport as unknown as {
      readonly _strategy: (name: string) => object | undefined;
    };
    return find.call(this.passport, this.name);
  }
}
