const inCore = (room) => `libs/core/src/${room}`;

/**
 * The code whose tests are tried by mutations, and the tests that concern it while nobody knows better: `npm run
 * mutations -- --map` finds out which tests run which function.
 */
export const areas = [
  {
    name: 'records',
    sources: ['sql', 'database', 'replicas', 'visibility', 'records'].map(inCore),
    tests:
      /^(advanced-search|count|database|get|joins|keyset|list|lost|mikro-orm|pagination|related|replicas|simple-search|sqlite|statements|transactions|update|where|write|connections|create|delete|group-by|gathered|idempotency|table-names|native-enums|query-budget|backend|postgresql)/,
  },
  {
    name: 'kinds',
    sources: ['kinds/record', 'kinds/write', 'kinds/callable'].map(inCore),
    tests:
      /^(callable|concurrency|create|delete|entity-tags|get|idempotency|if-|input|life-cycle|list|refused|related|schema|streams|update|validation|time-limits)/,
  },
  {
    name: 'access',
    sources: ['access'].map(inCore),
    tests: /^(authorization|cors|groups|headers|preflight|row-level|routing|secret)/,
  },
  {
    name: 'tokens',
    sources: ['libs/auth/src'],
    tests: /^(jwks|secret-bearer|authorization|groups)/,
  },
  {
    name: 'migrations',
    sources: ['libs/migrations/src/gate', 'libs/migrations/src/safety'],
    tests: /^migrations/,
  },
];
