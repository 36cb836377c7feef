export { KeyServer, type KeyServerOptions } from './key.server.js';
export { TokenIssuer, type TokenIssuerOptions, type TokenOptions } from './token.issuer.js';
