import {
  ConfigurationError,
  EndpointGroup,
  checkOptions,
  optionChecks,
  type ChecksOf,
  type InheritedOptions,
  type OptionChecks,
} from '@nest-endpoints/core';
import { EndpointKind } from '@nest-endpoints/core/kinds';
import { documentSourceChecks, type DocumentSourceOptions } from '../document.source.js';
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
  static override readonly optionChecks: OptionChecks = {
    url: optionChecks.filledText,
    authentication: EndpointKind.optionChecks['authentication'] ?? optionChecks.never,
    authorization: EndpointKind.optionChecks['authorization'] ?? optionChecks.never,
    responseHeaders: EndpointKind.optionChecks['responseHeaders'] ?? optionChecks.never,
    ...documentSourceChecks,
  } satisfies ChecksOf<DocsPageOptions>;

  constructor(options: DocsPageOptions) {
    const { url: path = '' } = Object(options) as { readonly url?: unknown };
    const owner = `DocsPage '${String(path)}'`;
    checkOptions(owner, options, { checks: DocsPage.optionChecks });
    const { url, schemaFormat, schemaConfiguration, wholeApplication, ...inherited } = options;
    if ((url as unknown) === undefined) throw new ConfigurationError(owner, 'url', 'is required');
    const folder = url.split('/').findLast((part) => part !== '');
    if (folder === undefined || /[:{]/.test(folder))
      throw new ConfigurationError(owner, 'url', 'must end with a word');
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

  /** Names the page: nobody wrote the members. */
  override memberAt(_member: EndpointKind, _path: string, ownPath: string): string {
    return `DocsPage '${ownPath}'`;
  }
}
