import { parseArgs } from 'node:util';
import { readSettings } from '../atlas.settings.js';
import { StartRefusal } from '../start.refusal.js';
import { developmentIssuer } from './development.issuer.js';

const usage = 'Usage: npm run token -- --sub alice [--expires-in 3600]';

/** A token of the development keys, and a request that uses it. */
async function tokenAndRequest(words: readonly string[]): Promise<string> {
  const { subject, seconds } = readArguments(words);
  const { login, host, port } = readSettings(process.env);
  if (login.kind === 'provider')
    throw new StartRefusal('JWKS_URL is set: its identity provider makes the tokens.');
  if (login.kind === 'none')
    throw new StartRefusal('There are no development keys when NODE_ENV is production.');
  const issuer = await developmentIssuer(login.keysFile);
  const token = await issuer.token({ sub: subject }, { expiresIn: seconds });
  const address = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${String(port || 3000)}`;
  return `${token}\n\ncurl '${address}/my/trips' -H 'Authorization: Bearer ${token}'\n`;
}

function readArguments(words: readonly string[]): { readonly subject: string; readonly seconds: number } {
  const options = { sub: { type: 'string' }, 'expires-in': { type: 'string', default: '3600' } } as const;
  try {
    const { values } = parseArgs({ args: [...words], options });
    const { sub = '', 'expires-in': seconds } = values;
    if (sub !== '' && /^[1-9]\d{0,8}$/.test(seconds)) return { subject: sub, seconds: Number(seconds) };
  } catch (cause) {
    throw new StartRefusal(usage, { cause });
  }
  throw new StartRefusal(usage);
}

try {
  process.stdout.write(await tokenAndRequest(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof StartRefusal ? error.message : error);
  process.exitCode = 1;
}
