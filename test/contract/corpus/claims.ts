import type { Workbench } from './workbench.js';

/** Five seconds of leeway. */
export const dates = async ({ claims, text, now, usual }: Workbench): Promise<void> => {
  await claims('without exp', 'RLFN', { exp: undefined });
  await claims('exp four seconds ago', 'RLFN', { exp: now - 4 });
  await claims('exp a little less than five seconds ago', 'RLFN', { exp: now - 4.999 });
  await claims('exp five seconds ago', '', { exp: now - 5 });
  await claims('exp six seconds ago', '', { exp: now - 6 });
  await claims('exp in 1970', '', { exp: 0 });
  await claims('exp before all calendars', '', { exp: -1e300 });
  await claims('exp beyond all calendars', 'RLFN', { exp: 1e300 });
  await claims('nbf in five seconds', 'RLFN', { nbf: now + 5 });
  await claims('nbf in six seconds', '', { nbf: now + 6 });
  await claims('nbf long ago', 'RLFN', { nbf: 0 });
  await claims('iat tomorrow', 'RLFN', { iat: now + 86_400 });
  for (const name of ['exp', 'nbf', 'iat']) {
    for (const value of [null, '', String(now + 60), true, [now + 60], { date: now + 60 }])
      await claims(`${name} ${JSON.stringify(value)}`, '', { [name]: value });
    const json = JSON.stringify({ ...usual, exp: undefined, iat: undefined });
    await text(`${name} beyond all numbers`, '', json.replace('{', `{"${name}":1e999,`));
    await text(`${name} below all numbers`, '', json.replace('{', `{"${name}":-1e999,`));
  }
};

/** The Registered configuration demands one. */
export const audiences = async ({ claims }: Workbench): Promise<void> => {
  const texts = [undefined, null, '', 'Atlas', 'atlas/', 'atlas ', 'atla', 'atlas,other'];
  const lists = [[], ['other'], [['atlas']], [null], ['atlas', 5], ['atlas', null]];
  const odd = [{ 0: 'atlas', length: 1 }, { atlas: true }, 5, true];
  for (const aud of [...texts, ...lists, ...odd]) await claims(`aud ${JSON.stringify(aud)}`, 'LFN', { aud });
  for (const aud of [['atlas'], ['other', 'atlas']])
    await claims(`aud ${JSON.stringify(aud)}`, 'RLFN', { aud });
};

/** The Registered configuration demands one. */
export const issuers = async ({ claims, usual: { iss: right } }: Workbench): Promise<void> => {
  const texts = [undefined, null, '', right.slice(0, -1), right.toUpperCase(), `${right}x`, ` ${right}`];
  const odd = [[right], { iss: right }, 1, true];
  for (const iss of [...texts, ...odd]) await claims(`iss ${JSON.stringify(iss)}`, 'LFN', { iss });
};

/** The List configuration demands sub and tenant. */
export const requiredClaims = async ({ claims }: Workbench): Promise<void> => {
  await claims('without sub', 'RFN', { sub: undefined });
  await claims('without tenant', 'RFN', { tenant: undefined });
  await claims('a tenant that is null', 'RFN', { tenant: null });
  await claims('a tenant in another letter case', 'RFN', { tenant: undefined, Tenant: 'one' });
  for (const tenant of ['', 0, false, [], {}])
    await claims(`the tenant ${JSON.stringify(tenant)}`, 'RLFN', { tenant });
};

/** The Function configuration does what the claim `verdict` says. */
export const verdicts = async ({ claims }: Workbench): Promise<void> => {
  for (const verdict of ['true', 'nothing', 'empty list', 'list', 'later true', 'later list'])
    await claims(`a function that says ${verdict}`, 'RLFN', { verdict });
  const lists = ['list of a missing claim', 'list of an inherited name', 'list of numbers'];
  const odd = [
    'null',
    '0',
    '1',
    'text',
    'map',
    'throw',
    'later throw',
    'throw what has no text',
    'throw nothing',
  ];
  for (const verdict of ['false', 'later false', ...lists, ...odd])
    await claims(`a function that says ${verdict}`, 'RLN', { verdict });
};

/** What stands in place of claims. */
export const payloads = async ({ text, claims, usual }: Workbench): Promise<void> => {
  const json = JSON.stringify(usual);
  for (const odd of ['null', '[]', '[{}]', '"alice"', '1', 'true', '', '{', '{"sub":}', `${json} x`])
    await text(`a payload that is ${odd.slice(0, 20)}`, '', odd);
  await text('a payload that is not UTF-8', '', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  await text('a payload with a byte order mark', '', `\u{feff}${json}`);
  await text('a payload with white space around it', 'RLFN', ` \n${json}\t`);
  await text('claims that it inherits', 'FN', '{"__proto__":{"sub":"alice","tenant":"one"}}');
  const deep = `${'['.repeat(2500)}${']'.repeat(2500)}`;
  await text('claims that are deep', 'FN', `{"deep":${deep}}`);
  await text('an aud that is deep', 'FN', `{"aud":${deep}}`);
  await claims('claims of every kind', 'RLFN', {
    list: [1, null],
    map: { a: { b: [] } },
    '': 1,
    constructor: 1,
  });
};
