import type { EndpointOrGroup } from '@nest-endpoints/core';
import { startUpError, type ApplicationOptions } from '../support/application.js';
import { libraryWith } from '../support/endpoints.js';

/** The message that stops the start, whether the endpoint says it when it is made or when the application starts. */
export const stopped = async (
  make: () => EndpointOrGroup,
  options: Partial<ApplicationOptions> = {},
): Promise<string> => {
  try {
    return await startUpError({ ...libraryWith([make()]), ...options });
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};
