import type { WriteOperation } from '../../endpoint/options/life.cycle.options.js';
import type { InjectMap } from '../../endpoint/request/injection.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/** The functions that run around a write, and the event that tells of it. */
export const steps = {
  create: { before: 'beforeSave', after: 'afterSave', event: 'created' },
  update: { before: 'beforeSave', after: 'afterSave', event: 'updated' },
  delete: { before: 'beforeDelete', after: 'afterDelete', event: 'deleted' },
  restore: { before: 'beforeSave', after: 'afterSave', event: 'restored' },
} as const satisfies Record<WriteOperation, object>;

export type HookName = (typeof steps)[WriteOperation]['before' | 'after'] | 'afterCommit';
type Hook = (context: never) => unknown;

/** The options that say what takes part in writes. */
export type HookSource = Readonly<Partial<Record<HookName, Hook | undefined>>> & {
  readonly inject?: InjectMap | undefined;
};

/** @throws ConfigurationError for what is no function, as JavaScript may give */
export function isGiven(owner: string, name: HookName, hooks: HookSource): boolean {
  const hook: unknown = hooks[name];
  if (hook !== undefined && typeof hook !== 'function')
    throw new ConfigurationError(owner, name, 'must be a function');
  return hook !== undefined;
}
