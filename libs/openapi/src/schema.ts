import {
  ConfigurationError,
  optionChecks,
  type ChecksOf,
  type EndpointOptions,
  type OptionChecks,
} from '@nest-endpoints/core';
import { EndpointKind, type KindContext, type CompiledKind } from '@nest-endpoints/core/kinds';
import { documentSource, documentSourceChecks, type DocumentSourceOptions } from './document.source.js';

/** Parameters of {@link Schema}. */
export interface SchemaOptions extends Omit<EndpointOptions, 'outputSchema'>, DocumentSourceOptions {
  /** The path of the document, below that of the group. */
  readonly url: string;
}

/**
 * Answers an OpenAPI document of the group it stands in, and of everything below (contract: Schema): as JSON, or as
 * YAML for who asks with `Accept: application/yaml`. It is made once, for the first who asks.
 */
export class Schema extends EndpointKind<SchemaOptions> {
  static override readonly optionChecks: OptionChecks = {
    ...(documentSourceChecks satisfies ChecksOf<Omit<SchemaOptions, keyof EndpointOptions>>),
    outputSchema: optionChecks.never,
  };

  protected override readonly defaultMethods = ['GET'] as const;
  override readonly requiredOptions = ['url'];
  override readonly repliesPlainly = false;
  override readonly readsBody = false;
  override readonly hasRecords = false;
  override readonly isBatchable = false;

  override compile(context: KindContext): CompiledKind {
    const { owner, groups } = context;
    if (groups.length === 0 && this.options.wholeApplication !== true)
      throw new ConfigurationError(
        owner,
        'url',
        'a Schema documents its group: put it into an EndpointGroup, or let it show the wholeApplication',
      );
    const document = documentSource(context, this.options, groups);
    return {
      handle: (request) => Promise.resolve(document().reply(request.headers)),
      // Documents tell of endpoints, not of themselves.
      describe: () => undefined,
    };
  }
}
