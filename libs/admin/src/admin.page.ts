import {
  checkOptions,
  ConfigurationError,
  EndpointGroup,
  optionChecks,
  type ChecksOf,
  type OptionChecks,
} from '@nest-endpoints/core';
import { EndpointKind } from '@nest-endpoints/core/kinds';
import { adminChecks, type AdminPageOptions } from './admin.options.js';
import { PageEndpoint } from './page.endpoint.js';

/**
 * Admin screens over the endpoints that an OpenAPI document tells of: lists, forms, trash, history. The page asks the endpoints
 * themselves, as whoever has logged in; it has no rights and no routes of its own but its files.
 *
 * @example
 * new EndpointGroup({ endpoints: [new Schema({ url: 'schema' }), new AdminPage({ url: 'admin', title: 'Atlas' }), cities] })
 */
export class AdminPage extends EndpointGroup {
  static override readonly optionChecks: OptionChecks = {
    ...adminChecks,
    authentication: EndpointKind.optionChecks['authentication'] ?? optionChecks.never,
    authorization: EndpointKind.optionChecks['authorization'] ?? optionChecks.never,
    responseHeaders: EndpointKind.optionChecks['responseHeaders'] ?? optionChecks.never,
  } satisfies ChecksOf<AdminPageOptions>;

  /** @throws ConfigurationError for an option that cannot be right */
  constructor(options: AdminPageOptions) {
    const { url: path = '' } = Object(options) as { readonly url?: unknown };
    const owner = `AdminPage '${String(path)}'`;
    checkOptions(owner, options, { checks: AdminPage.optionChecks });
    const { url, title, schema, resources, login, ...inherited } = options;
    if ((url as unknown) === undefined) throw new ConfigurationError(owner, 'url', 'is required');
    const parts = url.split('/').filter((part) => part !== '');
    const folder = parts.at(-1);
    if (folder === undefined || /[:{]/.test(folder))
      throw new ConfigurationError(owner, 'url', 'must end with a word');
    const page = {
      ...(title === undefined ? {} : { title }),
      ...(schema === undefined ? {} : { schema }),
      ...(resources === undefined ? {} : { resources }),
      ...(login === undefined ? {} : { login }),
      folder,
      parts: parts.length,
    };
    super({
      ...inherited,
      url,
      endpoints: [
        new PageEndpoint(page),
        new PageEndpoint({ ...page, url: ':file' }),
        // The page's links start at its folder, and whoever opens it with a slash at the end stands in there already.
        new PageEndpoint({ ...page, url: `${folder}/:file` }),
      ],
    });
  }

  /** Names the page: nobody wrote the members. */
  override memberAt(_member: EndpointKind, _path: string, ownPath: string): string {
    return `AdminPage '${ownPath}'`;
  }
}
