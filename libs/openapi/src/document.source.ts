import { ConfigurationError, type Compilation, type OpenApiObject } from '@nest-endpoints/core';
import { buildDocument, type DocumentOptions } from './open.api.builder.js';
import { isSchemaFormat, schemaFormats } from './schema.format.js';
import { ServedDocument } from './served.document.js';

/** What an endpoint's document is to be like, and what it is about. */
export interface DocumentSourceOptions extends DocumentOptions {
  /**
   * Whether the document shows every endpoint of the application, whichever `forFeature` mounts it, instead of the
   * group around it and what is below. Default false.
   */
  readonly wholeApplication?: boolean;
}

/**
 * The document of some groups, made once: when the application starts, and again only if its routes become others,
 * because a module was loaded later.
 */
export function documentSource(
  { owner, documentation }: Compilation,
  options: DocumentSourceOptions,
  groups: readonly object[],
): () => ServedDocument {
  checkDocumentOptions(owner, options);
  let made: { readonly routes: unknown; readonly served: ServedDocument } | undefined;
  const served = (): ServedDocument => {
    const { routes } = documentation;
    if (made?.routes !== routes) {
      const shown = options.wholeApplication === true ? [] : groups;
      made = { routes, served: new ServedDocument(buildDocument(documentation, options, shown)) };
    }
    return made.served;
  };
  documentation.whenReady(served);
  return served;
}

/** @throws ConfigurationError for values that types refuse, but JavaScript does not */
export function checkDocumentOptions(
  owner: string,
  {
    schemaFormat,
    schemaConfiguration,
  }: { readonly schemaFormat?: unknown; readonly schemaConfiguration?: unknown },
): void {
  if (schemaFormat !== undefined && !isSchemaFormat(schemaFormat)) {
    const allowed = Object.keys(schemaFormats).join(', ');
    const problem = `${JSON.stringify(schemaFormat)} is unknown; allowed: ${allowed}`;
    throw new ConfigurationError(owner, 'schemaFormat', problem);
  }
  if (schemaConfiguration !== undefined && !isJsonObject(schemaConfiguration))
    throw new ConfigurationError(owner, 'schemaConfiguration', 'must be an object that JSON can say');
}

function isJsonObject(value: unknown): value is OpenApiObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    return typeof JSON.stringify(value) === 'string';
  } catch {
    return false;
  }
}
