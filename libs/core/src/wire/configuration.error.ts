/** A mistake in the configuration. Thrown while the application starts, never by a request. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  /**
   * @param owner the endpoint or option holder, as the log names it, e.g. `RestfulApi 'cities'`
   * @param option the option's name, e.g. `readableColumnNames`
   * @param problem a sentence that names the value and, where there are some, the allowed values
   */
  constructor(
    readonly owner: string,
    readonly option: string,
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`${owner}: ${option}: ${problem}`, options);
  }
}

/**
 * An entity that is none for a kind of endpoint. Where an option of a group has added the endpoint, the mistake is that option: the
 * others of the group are fine with the entity.
 */
export class UnfitModel extends ConfigurationError {
  constructor(owner: string, problem: string) {
    super(owner, 'modelClass', problem);
  }
}

/** The allowed values of an option, for a {@link ConfigurationError}. */
export function oneOf(allowed: Iterable<string>): string {
  return `allowed: ${[...allowed].join(', ')}`;
}
