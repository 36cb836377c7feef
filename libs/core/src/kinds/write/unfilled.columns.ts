import type { KindTraits } from '../../endpoint/compiled.kind.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import type { LifeCycle } from './life.cycle.js';

/** The required properties that a Create can give no value, so that every request of it fails. */
export class UnfilledColumns implements KindTraits {
  readonly warnings: readonly string[];

  /** @param columns those that a new record gets values in */
  constructor(context: KindContext, model: Model, columns: readonly Column[], lifeCycle: LifeCycle) {
    // A hook may set anything.
    const names = lifeCycle.reason === undefined ? context.store(model).unfilledBy(columns) : [];
    const all = names.map((name) => `'${name}'`).join(', ');
    const them = names.length === 1 ? 'it' : 'them';
    const told = `can store nothing: ${all} must have a value, and nothing gives ${them} one; name ${them} in writeableColumnNames, or give ${them} a default or an onCreate`;
    this.warnings = names.length === 0 ? [] : [told];
  }
}
