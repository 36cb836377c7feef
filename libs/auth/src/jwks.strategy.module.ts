import { MikroORM } from '@mikro-orm/core';
import { Module, type DynamicModule } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { checkArguments, ConfigurationError, optionChecks } from '@nest-endpoints/core';
import { NestProviders } from '@nest-endpoints/core/internal';
import type { Jwks } from './jwks.js';
import { JwksStrategy, type PassportRequest } from './jwks.strategy.js';
import { StrategyRegistration } from './strategy.registration.js';

/** An object that judges tokens as a `Jwks` does. An application may wrap one. */
const authentication = optionChecks.check(
  'a Jwks, e.g. new Jwks({ jwksUrl })',
  (value) => typeof (value as Partial<Jwks> | null | undefined)?.authenticate === 'function',
);

/** The token under which a module of an application keeps the name of its strategy. */
const strategyName = Symbol('JwksStrategyModule: name');

/**
 * Registers a `Jwks` with Passport, so that `@UseGuards(AuthGuard('jwks'))` of `@nestjs/passport` guards controllers of
 * the user's own by the same rules. Needs the packages `passport` and `@nestjs/passport`.
 *
 * @example
 * imports: [JwksStrategyModule.register(jwks)]
 */
@Module({})
export class JwksStrategyModule {
  /**
   * A second one of the same name stops the start: Passport would let the last one judge the tokens of both.
   *
   * @param name what `AuthGuard` calls the strategy. Default `jwks`
   */
  static register(jwks: Pick<Jwks, 'authenticate' | 'inject'>, name = 'jwks'): DynamicModule {
    checkArguments('JwksStrategyModule', {
      jwks: [jwks, authentication],
      name: [name, optionChecks.filledText],
    });
    const strategy = {
      provide: JwksStrategy,
      inject: [ModulesContainer, NestProviders, { token: MikroORM, optional: true }],
      useFactory: (
        modules: ModulesContainer,
        providers: NestProviders,
        orm: MikroORM | undefined,
      ): JwksStrategy => {
        checkAlone(modules, name);
        const injection = jwks.inject && providers.injection('Jwks', 'inject', jwks.inject);
        return new JwksStrategy({
          jwks,
          context: async (request: PassportRequest) => {
            const values = await injection?.valuesFor({ native: request });
            return orm === undefined ? { ...values } : { ...values, em: orm.em.fork() };
          },
        });
      },
    };
    const registration = {
      provide: StrategyRegistration,
      inject: [JwksStrategy],
      // An optional peer: who has no controllers of their own needs none.
      useFactory: async (made: JwksStrategy): Promise<StrategyRegistration> =>
        new StrategyRegistration((await import('passport')).default, name, made, jwks),
    };
    return {
      module: JwksStrategyModule,
      providers: [NestProviders, { provide: strategyName, useValue: name }, strategy, registration],
      exports: [JwksStrategy],
    };
  }
}

/** @throws ConfigurationError when several modules of an application register a strategy of this name */
function checkAlone(modules: ModulesContainer, name: string): void {
  const isNamesake = ({ metatype, providers }: ModuleOfNest): boolean =>
    metatype === JwksStrategyModule && providers.get(strategyName)?.instance === name;
  if ([...modules.values()].filter(isNamesake).length > 1)
    throw new ConfigurationError(
      'JwksStrategyModule',
      'name',
      `'${name}' is registered twice: give each register a name of its own, or import the one module that it gives in several places`,
    );
}

type ModuleOfNest = ModulesContainer extends Map<string, infer M> ? M : never;
