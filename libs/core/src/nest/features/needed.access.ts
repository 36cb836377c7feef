import { Public, type Authentication } from '../../access/authentication.js';
import { neededFor, type Operation } from '../../access/operation.access.js';
import { settingsOf, type InheritedSettings } from '../../endpoint/options/settings.js';
import type { InheritedOptions } from '../../endpoint/options/endpoint.options.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/**
 * The settings of an endpoint with the access of all operations that it needs: every rule of theirs holds, and who sends a
 * request is asked as all of them ask.
 *
 * @param layersOf the options from the application inwards, with the access to an operation
 * @param isNamed true if the access names an authentication for the endpoint's own operation
 * @throws ConfigurationError where operations have different authentications, and nobody says which it is
 */
export function settingsWithAccess(
  owner: string,
  operation: Operation,
  layersOf: (operation: Operation) => readonly InheritedOptions[],
  isNamed: boolean,
): InheritedSettings {
  const own = settingsOf(layersOf(operation));
  const others = neededFor(operation).filter((one) => one !== operation);
  if (others.length === 0) return own;
  const needed = others.map((one) => settingsOf(layersOf(one)));
  const rules = [...needed, own].flatMap(({ authorizations }) => authorizations);
  const settings = { ...own, authorizations: [...new Set(rules)] };
  if (isNamed) return settings;
  const [authentication = own.authentication, ...more] = new Set(
    needed.map((one) => one.authentication).filter((one) => !isPublic(one)),
  );
  if (more.length === 0) return { ...settings, authentication };
  const problem = `${others.join(' and ')} have different authentications; name the one of ${operation}`;
  throw new ConfigurationError(owner, 'access', problem);
}

function isPublic({ constructor }: Authentication): boolean {
  return constructor === Public;
}
