import { boolean, check, filledText, objectWith } from '../../options/checks.js';
import type { ChecksOf, OptionCheck } from '../../options/option.check.js';

/** The tool that an endpoint is for agents, where the name and the texts of the operation do not do. */
export interface ToolOptions {
  /** 1 to 64 of `a` to `z`, digits and `_`. Default: the id of the operation in snake_case. */
  readonly name?: string;
  /** A title for people. Default: the summary of the operation. */
  readonly title?: string;
  /** A description for models. Default: summary and description of the operation. */
  readonly description?: string;
  /** True if it may take something away that was there. Default: true for all writes but a Create and a Restore. */
  readonly destructive?: boolean;
  /** True if it reaches out of the service, to systems of others. Default false. */
  readonly openWorld?: boolean;
}

const toolOptions = objectWith({
  name: check(
    '1 to 64 of a-z, 0-9 and _',
    (value) => typeof value === 'string' && /^[a-z0-9_]{1,64}$/.test(value),
  ),
  title: filledText,
  description: filledText,
  destructive: boolean,
  openWorld: boolean,
} satisfies ChecksOf<ToolOptions>);

/** The check of a tool. */
export const tool: OptionCheck = {
  allowed: `false, or ${toolOptions.allowed}`,
  complaint: (value) => (value === false ? undefined : toolOptions.complaint(value)),
};
