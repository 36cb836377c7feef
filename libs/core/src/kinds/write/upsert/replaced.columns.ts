import type { KindContext } from '../../../endpoint/kind.context.js';
import type { Column } from '../../../model/column.js';
import type { Model } from '../../../model/model.js';

/**
 * The values that columns get which a client leaves out of a record that it sends as a whole: their default, or null, which is
 * then judged as if it had been sent. Made once per endpoint.
 */
export class ReplacedColumns {
  readonly #standard: readonly (readonly [name: string, value: unknown])[];

  constructor(context: KindContext, columns: readonly Column[]) {
    this.#standard = columns.map((column) => [context.names.outward(column.name), standardOf(column)]);
  }

  /** The writeable columns of which a client that says nothing says that they are empty. */
  static of(context: KindContext, model: Model, names: readonly string[]): ReplacedColumns {
    // What is the request's own is said for it.
    const own = context.ownColumns(model).map(({ column }) => column.property);
    const columns = names.flatMap((name) => model.columns.get(name) ?? []);
    return new ReplacedColumns(
      context,
      columns.filter(({ property }) => !own.includes(property)),
    );
  }

  fill(body: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
    const whole = new Map(body);
    for (const [name, value] of this.#standard) if (!whole.has(name)) whole.set(name, structuredClone(value));
    return whole;
  }

  /** True if a client must send the column: it has no default, and null is no value of it. */
  static isRequired(column: Column): boolean {
    return !column.nullable && standardOf(column) === null;
  }
}

/** The default as JSON; null where there is none, or the database alone knows it. */
function standardOf({ type, property }: Column): unknown {
  if (type.storage === 'links') return [];
  const standard: unknown = property.default;
  if (standard === undefined || standard === null) return null;
  try {
    const value: unknown = JSON.parse(type.toWire(standard));
    return type.complaint(value) === undefined ? value : null;
  } catch {
    // An expression of SQL.
    return null;
  }
}
