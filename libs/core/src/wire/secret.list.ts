import { ConfigurationError } from './configuration.error.js';

/** A secret, or several: the first one encrypts, all of them decrypt. */
export type Secrets = string | readonly string[];

/** The least bytes of a secret: as many as the key that is made of it has. */
const least = 32;

/**
 * The secrets of an option; undefined where there is none.
 * @throws ConfigurationError for what is no text or list of them, or too short to be one
 */
export function secretList(option: string, given: unknown): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const refuse = (problem: string): never => {
    throw new ConfigurationError('EndpointsModule.forRoot', option, problem);
  };
  const secrets: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (secrets.length === 0) refuse('the list is empty');
  return secrets.map((secret, index) => {
    const which = Array.isArray(given) ? `secret ${index + 1}` : 'the secret';
    if (typeof secret !== 'string') return refuse(`${which} is no text; a secret is text, or a list of them`);
    if (secret === '') return refuse(`${which} is empty`);
    const bytes = Buffer.byteLength(secret);
    if (bytes >= least) return secret;
    return refuse(
      `${which} has ${bytes} bytes; it must have at least ${least}, as what \`openssl rand -base64 32\` writes has`,
    );
  });
}
