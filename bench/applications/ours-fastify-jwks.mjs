import { endpointsFastifyOptions } from '@nest-endpoints/core';
import { startOnFastify } from './nest.start.mjs';
import { jwks } from './jwks.mjs';
import { ours } from './ours.module.mjs';

export const start = (url) =>
  startOnFastify(ours(url, { authentication: jwks() }), endpointsFastifyOptions());
