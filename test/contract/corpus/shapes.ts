import type { SigningKey } from '../../support/signing.keys.js';
import { encoded, signed } from '../../support/tokens.js';
import type { Workbench } from './workbench.js';

/** Texts that are no token, and tokens that are too long. */
export const shapes = async ({ keys: { es256: key }, usual, add }: Workbench): Promise<void> => {
  const good = await signed(key, 'ES256', usual);
  const [head = '', body = '', signature = ''] = good.split('.');
  const odd: Readonly<Record<string, string>> = {
    'two parts': `${head}.${body}`,
    'four parts': `${good}.`,
    'five parts': `${head}..${body}.${signature}.${signature}`,
    'no parts': 'token',
    'only dots': '..',
    'no header': `.${body}.${signature}`,
    'no payload': `${head}..${signature}`,
    'no signature': `${head}.${body}.`,
    padding: `${good}==`,
    'padding in the header': `${head}=.${body}.${signature}`,
    'the letters of plain base64': `${head}.${body}.${signature.slice(0, -2)}+/`,
    'another last letter': `${head}.${body}.${respelt(signature)}`,
    'a dot at the front': `.${good}`,
    quotes: `"${good}"`,
    'a letter more': `${good}A`,
    'a line break in it': `${head}.\\n${body}.${signature}`,
  };
  for (const [label, token] of Object.entries(odd)) await add(label, '', token);
  await add('a token of 8192 characters', 'RLFN', longest(8192, key, usual));
  await add('a token of more than 8192 characters', '', longest(8196, key, usual));
  await add('an unsecured token', '', `${encoded({ alg: 'none' })}.${encoded(usual)}.`);
};

/** Other letters for the same 64 bytes: the last one has four bits that say nothing. */
const respelt = (signature: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.slice(-1));
  return `${signature.slice(0, -1)}${alphabet[last + 1] ?? ''}`;
};

/** The longest good token of up to so many characters: base64 knows no length that is 1 beyond a multiple of 4. */
const longest = async (length: number, key: SigningKey, usual: object): Promise<string> => {
  const withFiller = (filler: number) => signed(key, 'ES256', { ...usual, filler: 'x'.repeat(filler) });
  let filler = Math.floor(((length - (await withFiller(0)).length) * 3) / 4) + 2;
  for (;;) {
    const token = await withFiller(filler);
    if (token.length <= length) return token;
    filler -= 1;
  }
};
