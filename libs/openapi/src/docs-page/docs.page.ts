import { ConfigurationError, EndpointGroup, type InheritedOptions } from '@nest-endpoints/core';
import type { DocumentSourceOptions } from '../document.source.js';
import { DocsFile } from './docs.file.js';
import { DocsIndex } from './docs.index.js';

/** Parameters of {@link DocsPage}. */
export interface DocsPageOptions
  extends
    Pick<InheritedOptions, 'authentication' | 'authorization' | 'responseHeaders'>,
    DocumentSourceOptions {
  /** The path of the page; its last part must be a word. */
  readonly url: string;
}

/**
 * Swagger UI, which shows a document of the group it stands in, and of everything below, and sends requests from the
 * browser. Its files come from the npm package, from nowhere else. Without a group around it, or with
 * `wholeApplication`, it shows the whole application.
 */
export class DocsPage extends EndpointGroup {
  constructor({ url, schemaFormat, schemaConfiguration, wholeApplication, ...inherited }: DocsPageOptions) {
    const folder = url.split('/').findLast((part) => part !== '');
    if (folder === undefined || /[:{]/.test(folder))
      throw new ConfigurationError(`DocsPage '${url}'`, 'url', 'must end with a word');
    const document = {
      ...(schemaFormat === undefined ? {} : { schemaFormat }),
      ...(schemaConfiguration === undefined ? {} : { schemaConfiguration }),
      ...(wholeApplication === undefined ? {} : { wholeApplication }),
    };
    super({
      ...inherited,
      url,
      endpoints: [
        new DocsIndex({ folder, ...document }),
        new DocsFile({ url: ':file', ...document }),
        // The page's links start at its folder, and whoever opens it with a slash at the end stands in there already.
        new DocsFile({ url: `${folder}/:file`, ...document }),
      ],
    });
  }
}
