import { Jwks } from '@nest-endpoints/auth';

/** Believes the token that `bench/jwks.mjs` made; its key comes from there, too, instead of from a key server. */
export const jwks = () =>
  new Jwks({
    jwksUrl: 'https://keys.example/jwks.json',
    audience: 'bench',
    issuer: 'https://issuer.example',
    fetch: () =>
      Promise.resolve(
        new Response(process.env.BENCH_KEYS, { headers: { 'Content-Type': 'application/json' } }),
      ),
  });
