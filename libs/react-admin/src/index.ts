export { endpointsProvider, type EndpointsDataProvider } from './endpoints.provider.js';
export type { ProviderError } from './provider.error.js';
