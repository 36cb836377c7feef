import type { CompiledEndpoint } from '../compiled.endpoint.js';

/** The things that Nest puts around endpoints. */
export abstract class Surroundings {
  /** The reason, in words, why Nest has to carry requests to an endpoint; undefined where it would only hand them on. */
  abstract reasonAgainst(endpoint: CompiledEndpoint): string | undefined;

  /** The objects whose methods put something around endpoints, with the names of these methods. */
  abstract readonly growing: readonly (readonly [target: object, methods: readonly string[]])[];
}
