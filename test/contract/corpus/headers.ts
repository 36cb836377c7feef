import { assembled, signed } from '../../support/tokens.js';
import { es256, type Workbench } from './workbench.js';

/** Names of keys that no key has, or more than one. */
export const kids = async ({ keys, usual, add, raw }: Workbench): Promise<void> => {
  const unlike: readonly unknown[] = [
    undefined,
    null,
    '',
    ' es256',
    'ES256',
    'es256\u0000',
    5,
    true,
    ['es256'],
    { kid: 'es256' },
    'unknown',
    'es384',
    'broken',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'k'.repeat(2000),
    '../../es256',
    "' or 1=1 --",
  ];
  for (const kid of unlike)
    await raw(`kid ${(JSON.stringify(kid) as string | undefined)?.slice(0, 40)}`, '', { kid });
  await add('the kid of a key that is not published', '', signed(keys.unpublished, 'ES256', usual));
  await add('a key without kid', '', signed({ ...keys.nameless, kid: 'nameless' }, 'ES256', usual));
  await add('the first of two keys with one kid', '', signed(keys.twinA, 'ES256', usual));
  await add('the second of two keys with one kid', '', signed(keys.twinB, 'ES256', usual));
  await add(
    'a key that shares its kid with one for encryption',
    'RLFN',
    signed(keys.halfTwin, 'ES256', usual),
  );
  await add('the key for encryption that shares its kid', '', signed(keys.otherHalf, 'ES256', usual));
};

/** Parameters that demand, promise or bring something. */
export const headers = async ({ header, raw, keys, usual, add, attacker }: Workbench): Promise<void> => {
  await header('crit that names exp', '', { crit: ['exp'], exp: 1 });
  await header('crit that names b64', '', { crit: ['b64'], b64: true });
  await header('crit that names something of its own', '', { crit: ['x'], x: 1 });
  for (const crit of [[], null, 'exp', {}, [''], ['exp', 'exp'], ['alg'], false])
    await raw(`crit ${JSON.stringify(crit)}`, '', { crit });
  await raw('b64 false', '', { b64: false });
  await raw('b64 as text', '', { b64: 'true' });
  await header('b64 true', 'RLFN', { b64: true });
  for (const typ of ['JWT', 'at+jwt', 'application/at+jwt', undefined])
    await header(`typ ${typ ?? 'missing'}`, 'RLFN', { typ });
  const deep = `${'['.repeat(2500)}${']'.repeat(2500)}`;
  const deepKid = `{"alg":"ES256","kid":${deep}}`;
  await add('a kid that is deep', '', assembled(deepKid, usual, es256(keys.es256)));
  const own = keys.unpublished;
  for (const name of ['jku', 'x5u']) {
    await header(`${name} beside a good key`, 'RLFN', { [name]: attacker });
    await add(`${name} to the keys of an attacker`, '', signed(own, 'ES256', usual, { [name]: attacker }));
    await add(
      `${name} with the kid of a good key`,
      '',
      signed({ ...own, kid: 'es256' }, 'ES256', usual, { [name]: attacker }),
    );
  }
  for (const [name, value] of [
    ['jwk', own.jwk],
    ['x5c', ['MIIB']],
    ['x5t', 'AAAA'],
  ] as const) {
    await header(`${name} beside a good key`, 'RLFN', { [name]: value });
    await add(`${name} of an attacker`, '', signed(own, 'ES256', usual, { [name]: value }));
    await add(
      `${name} with the kid of a good key`,
      '',
      signed({ ...own, kid: 'es256' }, 'ES256', usual, { [name]: value }),
    );
    await add(`${name} without kid`, '', assembled({ alg: 'ES256', [name]: value }, usual, es256(own)));
  }
  for (const odd of [
    '',
    'null',
    '[]',
    '"text"',
    '1',
    '{',
    '{"alg":"ES256","kid":"es256"',
    '\u{feff}{"alg":"ES256","kid":"es256"}',
  ])
    await add(`a header that is ${JSON.stringify(odd)}`, '', assembled(odd, usual, es256(keys.es256)));
  await add(
    'a header of members that it inherits',
    '',
    assembled('{"__proto__":{"alg":"ES256","kid":"es256"}}', usual, es256(keys.es256)),
  );
  await add(
    'a header that says alg twice',
    'RLFN',
    assembled('{"alg":"none","kid":"es256","alg":"ES256"}', usual, es256(keys.es256)),
  );
};
