// A service without a database, for those who bring a token of the key server that the drill runs.
import { Jwks } from '@nest-endpoints/auth';
import { Callable, EndpointsModule, HealthCheck } from '@nest-endpoints/core';
import { serve } from '../support/serve.mjs';

/** A module is known by its class; this one has nothing to inject. */
class Keys {}

await serve(({ jwks }) => ({
  module: Keys,
  imports: [
    EndpointsModule.forFeature([
      new HealthCheck({ url: 'health' }),
      // Nothing is remembered of tokens, so that every request needs the keys.
      new Callable({
        url: 'mine',
        authentication: new Jwks({ ...jwks, verifiedTokens: 0 }),
        toCall: () => 'yours',
      }),
    ]),
  ],
}));
