import {
  NotFound,
  optionChecks,
  ServiceUnavailable,
  type EndpointOptions,
  type OptionChecks,
} from '@nest-endpoints/core';
import {
  EndpointKind,
  RawReply,
  type CompiledKind,
  type EndpointRequest,
  type HeaderLines,
} from '@nest-endpoints/core/kinds';
import { adminChecks, type AdminPageOptions } from './admin.options.js';
import { PageFiles, tagOf } from './page.files.js';
import { protectingHeaders } from './page.headers.js';
import { indexPage } from './page.index.js';

interface PageEndpointOptions
  extends Omit<EndpointOptions, 'url'>, Pick<AdminPageOptions, 'title' | 'schema' | 'resources' | 'login'> {
  readonly url?: string;
  /** The last part of the page's own path, where its files are. */
  readonly folder: string;
  /** The number of parts of the page's path from its group on. */
  readonly parts: number;
}

const files = new PageFiles();

/** The page itself, or its files where the url ends with `:file`. */
export class PageEndpoint extends EndpointKind<PageEndpointOptions> {
  static override readonly optionChecks: OptionChecks = {
    ...adminChecks,
    folder: optionChecks.filledText,
    parts: optionChecks.wholeNumber(1),
  };

  protected override readonly defaultMethods = ['GET'] as const;
  override readonly repliesPlainly = false;
  override readonly readsBody = false;
  override readonly hasRecords = false;
  override readonly isBatchable = false;

  override compile(): CompiledKind {
    const headers = protectingHeaders(this.options.login);
    const config = this.#config(headers);
    return {
      reads: ['If-None-Match'],
      handle: async (request) => {
        const { file } = request.routingData;
        const reply =
          file === undefined
            ? await this.#index(request, headers)
            : file === 'config.json'
              ? config
              : await files.reply(file, headers);
        if (reply === undefined) throw new NotFound();
        return isKnown(request, reply)
          ? new RawReply('', '', reply.headers, 304, false, reply.entityTag)
          : reply;
      },
      describe: () => undefined,
    };
  }

  /** The facts that the script must know. It is a file of its own, because a policy without inline scripts allows none in the page. */
  #config(headers: HeaderLines): RawReply {
    const { title = 'Admin', schema = 'schema', resources, login, parts } = this.options;
    const body = JSON.stringify({ title, schema, resources, login, parts });
    return new RawReply(body, 'application/json; charset=UTF-8', asked(headers), 200, false, tagOf(body));
  }

  async #index({ path }: EndpointRequest, headers: HeaderLines): Promise<RawReply> {
    const { folder, title = 'Admin' } = this.options;
    const entry = await files.entry();
    // Only a checkout of the sources can be without it: packages have it.
    if (entry === undefined) throw new ServiceUnavailable();
    const depth = path.split('/').filter((part) => part !== '').length;
    const html = indexPage({ folder, title, entry, depth });
    return new RawReply(html, 'text/html; charset=UTF-8', asked(headers), 200, false, tagOf(html));
  }
}

/** Kept by browsers, which ask each time whether it has changed: the page names the scripts of this version. */
function asked(headers: HeaderLines): HeaderLines {
  return [...headers, ['Cache-Control', 'no-cache']];
}

function isKnown({ headers }: EndpointRequest, { entityTag = '' }: RawReply): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === entityTag);
}
