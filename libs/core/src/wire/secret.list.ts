/** A secret, or several: the first one encrypts, all of them decrypt. */
export type Secrets = string | readonly string[];

/** The least bytes of a secret: as many as the key that is made of it has. */
const least = 32;

/** The problem with what is no text or list of them, or too short to be a secret; undefined where there is none. */
export function secretComplaint(given: unknown): string | undefined {
  const secrets: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (secrets.length === 0) return 'the list is empty';
  for (const [index, secret] of secrets.entries()) {
    const which = Array.isArray(given) ? `secret ${index + 1}` : 'the secret';
    if (typeof secret !== 'string') return `${which} is no text; a secret is text, or a list of them`;
    if (secret === '') return `${which} is empty`;
    const bytes = Buffer.byteLength(secret);
    if (bytes < least)
      return `${which} has ${bytes} bytes; it must have at least ${least}, as what \`openssl rand -base64 32\` writes has`;
  }
  return undefined;
}

/** The secrets of an option that was checked; undefined where there is none. */
export function secretList(given: Secrets | undefined): readonly string[] | undefined {
  return typeof given === 'string' ? [given] : given;
}
