import type {
  FilterOptions,
  IdempotencyOptions,
  PreconditionOptions,
  WriteableOptions,
} from '../../../endpoint/options/endpoint.options.js';
import type { NestedOptions } from '../../../endpoint/options/nested.options.js';
import type { SelectionOptions } from '../../../endpoint/options/selection.options.js';
import type { SaveOptions } from '../../../endpoint/options/life.cycle.options.js';
import type { InjectMap } from '../../../endpoint/request/injection.js';
import type { ColumnsOf } from '../../../model/column.name.js';

/** Parameters of Upsert. */
export interface UpsertOptions<
  E extends object,
  I extends InjectMap = InjectMap,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Text = string,
>
  extends
    WriteableOptions<E, Entity, Readable>,
    SelectionOptions<E, Entity>,
    FilterOptions<E, Entity, Text>,
    PreconditionOptions,
    IdempotencyOptions,
    SaveOptions<E, I>,
    NestedOptions {
  /** Holds a parameter named like the lookup column, e.g. `countries/:code`, unless {@link conflictColumnNames} are given. */
  readonly url: string;
  /** The unique column that the path parameter of the same name holds, written by clients. Default: the id column. */
  readonly recordLookupColumnName?: ColumnsOf<Entity, NoInfer<E>>['own'];
  /**
   * The columns by whose values a record is found: exactly those of one unique constraint, none of them null. Their values
   * are in the body, or in the path where it has a parameter of that name. Default: the lookup column.
   */
  readonly conflictColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['own'][];
  /**
   * True if a request says the whole record: a writeable column that it leaves out becomes its default, or null; one that has
   * neither is required. Default false: it stays as it is.
   */
  readonly replaces?: boolean;
  /** The HTTP status where a record was created, 200 or 201. Default 201. */
  readonly createStatus?: 200 | 201;
}
