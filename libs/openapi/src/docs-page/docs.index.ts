import { optionChecks, type EndpointOptions, type OptionChecks } from '@nest-endpoints/core';
import { EndpointKind, RawReply, type CompiledKind } from '@nest-endpoints/core/kinds';
import { documentSourceChecks } from '../document.source.js';
import type { DocumentOptions } from '../open.api.builder.js';
import { protectingHeaders } from './docs.files.js';
import { style } from './docs.style.js';

interface DocsIndexOptions extends EndpointOptions, DocumentOptions {
  /** The last part of the page's own path, where its files are. */
  readonly folder: string;
}

/** The page itself. */
export class DocsIndex extends EndpointKind<DocsIndexOptions> {
  static override readonly optionChecks: OptionChecks = {
    ...documentSourceChecks,
    folder: optionChecks.filledText,
  };

  protected override readonly defaultMethods = ['GET'] as const;
  override readonly repliesPlainly = false;
  override readonly readsBody = false;
  override readonly hasRecords = false;
  override readonly isBatchable = false;

  override compile(): CompiledKind {
    const { folder, schemaConfiguration } = this.options;
    const reply = new RawReply(pageOf(folder, titleOf(schemaConfiguration)), htmlType, protectingHeaders);
    return { handle: () => Promise.resolve(reply), describe: () => undefined };
  }
}

const htmlType = 'text/html; charset=UTF-8';

function titleOf({ info }: { readonly info?: unknown } = {}): string {
  const title: unknown = typeof info === 'object' && info !== null ? Reflect.get(info, 'title') : undefined;
  return typeof title === 'string' ? title : 'API';
}

/** Links are relative, so that the page works behind any prefix. */
function pageOf(folder: string, title: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)}</title>
    <link rel="stylesheet" href="${folder}/swagger-ui.css">
    <link rel="icon" type="image/png" href="${folder}/favicon-32x32.png">
    <style>${style}</style>
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${folder}/swagger-ui-bundle.js"></script>
    <script src="${folder}/swagger-initializer.js"></script>
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
