import { ConfigurationError } from '@nest-endpoints/core';

/** Names and numbers of this machine, as `URL` spells them. What goes there passes no network. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @throws ConfigurationError when keys cannot, or must not, be read from there */
export function checkAddress(owner: string, option: string, address: unknown, allowHttp: boolean): URL {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(owner, option, problem);
  };
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url === null) return refuse(`'${String(address)}' is not an absolute URL`);
  // The address stands in logs, so it holds no password; `fetch` takes none either.
  if (url.username !== '' || url.password !== '')
    return refuse('a user and a password are not allowed in it');
  if (url.protocol === 'https:') return url;
  if (url.protocol !== 'http:') return refuse(`'${url.protocol}' is not allowed; allowed: https:, http:`);
  if (!allowHttp && !loopback.test(url.hostname))
    return refuse(
      `'${url.origin}' is not HTTPS, and not this machine: whoever can change the keys on their way can sign tokens; ` +
        'allowHttp: true allows it',
    );
  return url;
}
