import type { Endpoint } from '../../endpoint/endpoint.js';
import type { InheritedSettings, RootOptions } from '../../endpoint/options/settings.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { outcomes } from '../../wire/outcome.table.js';

/** @throws ConfigurationError for an endpoint without an option that its kind needs */
export function refuseMissing(owner: string, { requiredOptions, options }: Endpoint): void {
  const missing = requiredOptions.find((name) => Reflect.get(options, name) === undefined);
  if (missing !== undefined) throw new ConfigurationError(owner, missing, 'is required');
}

/** Refuses input errors that nothing tells of: without an envelope, clients would take them for a success. */
export function refuseUntold(
  owner: string,
  { answers }: InheritedSettings,
  { inputErrorsStatus = outcomes.invalidInput.statusCode }: RootOptions,
): void {
  if (!answers.needsErrorStatus || inputErrorsStatus >= 400) return;
  const { name } = answers.constructor;
  const problem = `${name} tell errors by the status code; allowed with them: an inputErrorsStatus of forRoot from 400 to 499, not ${inputErrorsStatus}`;
  throw new ConfigurationError(owner, 'answers', problem);
}
