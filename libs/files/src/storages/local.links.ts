import { createHmac, timingSafeEqual } from 'node:crypto';

/** The parameters of a url, by their names. */
export type LinkValues = Readonly<Record<string, string>>;

/** Gives parameters of a query string, which holds each of them once. */
export interface LinkParameters {
  get(name: string): string | undefined;
}

/** Urls that say what they allow, with a signature: nobody changes one, or makes one of their own. */
export class LocalLinks {
  readonly #secrets: readonly string[];

  /** @param secrets the first one signs, all of them are taken */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** Gives the query string of a link. @param action the word for what it allows */
  write(action: string, key: string, values: LinkValues): string {
    const [secret = ''] = this.#secrets;
    const signature = signatureOf(secret, action, key, values);
    return new URLSearchParams({ ...values, signature }).toString();
  }

  /**
   * Reads a link.
   *
   * @param names the parameters that it may have, in the order in which they are signed
   * @returns undefined for one that is not ours, that was changed, or whose time is over
   */
  read(
    action: string,
    key: string,
    parameters: LinkParameters,
    names: readonly string[],
  ): LinkValues | undefined {
    const given = names.flatMap((name) => {
      const value = parameters.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const values = Object.fromEntries(given);
    // As it is written: what is decoded leaves out characters that no signature has.
    const signature = Buffer.from(parameters.get('signature') ?? '');
    const isOurs = this.#secrets
      .map((secret) => Buffer.from(signatureOf(secret, action, key, values)))
      .some((own) => own.length === signature.length && timingSafeEqual(own, signature));
    if (!isOurs) return undefined;
    const { expires } = values;
    return expires === undefined || Number(expires) > Date.now() ? values : undefined;
  }
}

function signatureOf(secret: string, action: string, key: string, values: LinkValues): string {
  const message = JSON.stringify([action, key, Object.entries(values)]);
  return createHmac('sha256', secret).update(message).digest('base64url');
}
