export { KeyServer, type KeyServerOptions } from './key.server.js';
export { TokenIssuer, type TokenIssuerOptions, type TokenOptions } from './token.issuer.js';
export { expectToMatchSchema, type MatchOptions } from './truth/expect-to-match-schema.js';
export type { AnyResponse } from './truth/response.reading.js';
export { recordTruth, TruthRecorder } from './truth/truth.recorder.js';
