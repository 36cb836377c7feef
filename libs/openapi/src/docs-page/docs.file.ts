import {
  EndpointKind,
  NotFound,
  type Compilation,
  type EndpointOptions,
  type Handler,
  type OptionChecks,
} from '@nest-endpoints/core';
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

  override describe(): undefined {
    return undefined;
  }

  override compile(compilation: Compilation): Handler {
    // The innermost group is the page.
    const document = documentSource(compilation, this.options, compilation.groups.slice(0, -1));
    return async ({ routingData: { file = '' }, headers }) => {
      if (file === 'openapi.json') return document().reply({ ...headers, accept: 'application/json' });
      const reply = await docsFile(file);
      if (reply === undefined) throw new NotFound();
      return reply;
    };
  }
}
