import { optionChecks, type ChecksOf } from '@nest-endpoints/core';
import type { KindContext } from '@nest-endpoints/core/kinds';
import { buildDocument, type DocumentOptions } from './open.api.builder.js';
import { schemaFormats } from './schema.format.js';
import { ServedDocument } from './served.document.js';

/** The form of an endpoint's document, and the endpoints in it. */
export interface DocumentSourceOptions extends DocumentOptions {
  /**
   * True to show every endpoint of the application, whichever `forFeature` mounts it. Default false: the group around the
   * endpoint, and the groups below that.
   */
  readonly wholeApplication?: boolean;
}

/**
 * Makes the document of some groups, once: when it is first asked for, and again only if the application's routes change,
 * because a module was loaded later. Nothing waits for it but who asks; the log tells of what cannot be documented.
 */
export function documentSource(
  { documentation }: KindContext,
  options: DocumentSourceOptions,
  groups: readonly object[],
): () => ServedDocument {
  let made: { readonly routes: unknown; readonly served: ServedDocument } | undefined;
  documentation.tellGaps();
  return () => {
    const { routes } = documentation;
    if (made?.routes !== routes) {
      const shown = options.wholeApplication === true ? [] : groups;
      made = { routes, served: new ServedDocument(buildDocument(documentation, options, shown)) };
    }
    return made.served;
  };
}

/** The checks of what a document is to be like. */
export const documentChecks = {
  schemaFormat: optionChecks.oneOfTexts(...Object.keys(schemaFormats)),
  schemaConfiguration: optionChecks.check('an object that JSON can say', isJsonObject),
} as const satisfies ChecksOf<DocumentOptions>;

/** {@link documentChecks}, and those of what it is about. */
export const documentSourceChecks = {
  ...documentChecks,
  wholeApplication: optionChecks.boolean,
} as const satisfies ChecksOf<DocumentSourceOptions>;

function isJsonObject(value: unknown): boolean {
  if (!optionChecks.isRecord(value)) return false;
  try {
    return typeof JSON.stringify(value) === 'string';
  } catch {
    return false;
  }
}
