import { NotFound, type EndpointOptions, type OptionChecks } from '@nest-endpoints/core';
import { EndpointKind, type KindContext, type CompiledKind } from '@nest-endpoints/core/kinds';
import { documentSource, documentSourceChecks, type DocumentSourceOptions } from '../document.source.js';
import { docsFile } from './docs.files.js';

interface DocsFileOptions extends EndpointOptions, DocumentSourceOptions {
  /** Ends with `:file`. */
  readonly url: string;
}

/** The files of the page, and the document that it shows. */
export class DocsFile extends EndpointKind<DocsFileOptions> {
  static override readonly optionChecks: OptionChecks = documentSourceChecks;

  protected override readonly defaultMethods = ['GET'] as const;
  override readonly repliesPlainly = false;
  override readonly readsBody = false;
  override readonly hasRecords = false;
  override readonly isBatchable = false;

  override compile(context: KindContext): CompiledKind {
    // The innermost group is the page.
    const document = documentSource(context, this.options, context.groups.slice(0, -1));
    return {
      handle: async ({ routingData: { file = '' }, headers }) => {
        if (file === 'openapi.json') return document().reply({ ...headers, accept: 'application/json' });
        const reply = await docsFile(file);
        if (reply === undefined) throw new NotFound();
        return reply;
      },
      describe: () => undefined,
    };
  }
}
