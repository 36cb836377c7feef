/**
 * Mutants that do the same as the code, each with the `reason`: they are not counted. They are told by their `file` and by
 * what they change: `within` is the function, `original` what stands there, `text` what the mutant has there.
 */
export const equivalents = [];
