import { MikroORM } from '@mikro-orm/core';
import { Module, type DynamicModule } from '@nestjs/common';
import { NestProviders } from '@nest-endpoints/core';
import type { Jwks } from './jwks.js';
import { JwksStrategy, type PassportRequest } from './jwks.strategy.js';

/**
 * Registers a `Jwks` with Passport, so that `@UseGuards(AuthGuard('jwks'))` of `@nestjs/passport` guards controllers of
 * the user's own by the same rules. Needs the packages `passport` and `@nestjs/passport`.
 *
 * @example
 * imports: [JwksStrategyModule.register(jwks)]
 */
@Module({})
export class JwksStrategyModule {
  /** @param name what `AuthGuard` calls the strategy. Default `jwks` */
  static register(jwks: Pick<Jwks, 'authenticate' | 'inject'>, name = 'jwks'): DynamicModule {
    const provider = {
      provide: JwksStrategy,
      inject: [NestProviders, { token: MikroORM, optional: true }],
      useFactory: async (providers: NestProviders, orm: MikroORM | undefined): Promise<JwksStrategy> => {
        const injection = jwks.inject && providers.injection('Jwks', 'inject', jwks.inject);
        const strategy = new JwksStrategy({
          jwks,
          context: async (request: PassportRequest) => {
            const values = await injection?.valuesFor(request);
            return orm === undefined ? { ...values } : { ...values, em: orm.em.fork() };
          },
        });
        // An optional peer: who has no controllers of their own needs none.
        const { default: passport } = await import('passport');
        passport.use(name, strategy);
        return strategy;
      },
    };
    return { module: JwksStrategyModule, providers: [NestProviders, provider], exports: [JwksStrategy] };
  }
}
