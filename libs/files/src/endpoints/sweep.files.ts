import {
  optionChecks,
  type AuthorizationRule,
  type EndpointOptions,
  type OptionChecks,
} from '@nest-endpoints/core';
import { EndpointKind, TextReply, type DescribedKind, type KindContext } from '@nest-endpoints/core/kinds';
import { FileRuntime } from '../records/file.runtime.js';

/** Parameters of {@link SweepFiles}. */
export interface SweepFilesOptions extends EndpointOptions {
  /** The path, which is the command's name, too. */
  readonly url: string;
  /** The rule that says who runs the service. Required. */
  readonly authorization: AuthorizationRule;
}

/**
 * Deletes files that nobody attached for a day, and those that no record has any more. The service does so by itself every ten
 * minutes; this is for those who run it, and a command of its command line.
 *
 * @example new SweepFiles({ url: 'files/sweep', authentication, authorization: new RequireScopes('operate') })
 */
export class SweepFiles extends EndpointKind<SweepFilesOptions> {
  static override readonly optionChecks: OptionChecks = { outputSchema: optionChecks.never };

  protected override readonly defaultMethods = ['POST'] as const;
  override readonly requiredOptions = ['url', 'authorization'];
  override readonly repliesPlainly = false;
  override readonly readsBody = false;
  override readonly hasRecords = false;
  override readonly isBatchable = false;
  override readonly effect = 'writes';

  override compile({ database, names }: KindContext): DescribedKind {
    const { sweep } = FileRuntime.of(database);
    const deleted = names.control('deleted');
    return {
      handle: async ({ cancellation: { signal } }) => {
        const count = await sweep.run(() => signal.aborted);
        return new TextReply(JSON.stringify({ [deleted]: count }));
      },
      describe: () => ({
        verb: 'sweep',
        summary: 'Delete files that no record has',
        answer: {
          kind: 'envelope',
          data: { type: 'object', properties: { [deleted]: { type: 'integer' } }, required: [deleted] },
        },
      }),
    };
  }
}
