export { endpointsProvider, type EndpointsDataProvider } from './endpoints.provider.js';
