import { ConfigurationError, UnfitModel } from '../../wire/configuration.error.js';
import type { RouteLeaf } from '../../routing/route.tree.js';

/** The mistake in an endpoint, told of what the user wrote, which may have made the endpoint. */
export function toldMistake({ owner, groups, endpoint }: RouteLeaf, error: unknown): unknown {
  if (!(error instanceof ConfigurationError) || error.owner !== owner) return error;
  const group = groups.at(-1);
  const adding = error instanceof UnfitModel ? group?.addedBy(endpoint) : undefined;
  const option = adding ?? group?.optionOf(endpoint, error.option) ?? error.option;
  if (option === error.option) return error;
  return new ConfigurationError(owner, option, error.problem, { cause: error });
}
