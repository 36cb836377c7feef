/**
 * Mutants that do the same as the code, each with the reason; docs/reliability.md lists them for readers. They are told by
 * what they change: `within` is the function, `original` what stands there, `text` what the mutant has there.
 */
export const equivalents = [];
