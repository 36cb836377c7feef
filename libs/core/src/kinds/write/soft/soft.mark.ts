import type { EntityProperty, Platform } from '@mikro-orm/core';
import type { KindContext } from '../../../endpoint/kind.context.js';
import { keyOf } from '../../../database/plain.filter.js';
import { narrowedTypeOf } from '../../../metadata/suggested.column.js';
import type { Column } from '../../../model/column.js';
import { DatetimeColumn } from '../../../model/columns/datetime.column.js';
import type { Model } from '../../../model/model.js';
import type { RequestFacts } from '../../../model/request.facts.js';
import { softEntityOf, type SoftEntity } from '../../../model/soft/soft.entity.js';
import type { Mark } from '../../../records/soft/mark.js';
import { UnfitModel } from '../../../wire/configuration.error.js';
import { nextInstant } from './instants.js';

/** The mark of deleted records, as an endpoint of one model sets it. Made once per endpoint. */
export class SoftMark {
  readonly columns: readonly Column[];
  readonly #at: Column;
  readonly #by: Column | undefined;

  private constructor(
    private readonly soft: SoftEntity,
    model: Model,
    private readonly platform: Platform,
  ) {
    this.#at = { ...columnOf(model, soft.property), type: new DatetimeColumn({ precision: 'milliseconds' }) };
    this.#by = soft.by && columnOf(model, soft.by);
    this.columns = this.#by === undefined ? [this.#at] : [this.#at, this.#by];
  }

  /** Undefined where records are deleted for good. @throws ConfigurationError for records that are not in MikroORM's database */
  static of(context: KindContext, model: Model): SoftMark | undefined {
    const soft = softEntityOf(model.meta);
    if (soft === undefined) return undefined;
    if (context.store(model).knowsSql) return new SoftMark(soft, model, context.database.dialect.platform);
    const problem = `the records of ${model.meta.className} are in a backend of your own, which knows no mark`;
    throw new UnfitModel(context.owner, problem);
  }

  /** {@link of} for a kind that is about deleted records. @throws ConfigurationError where there are none */
  static needed(context: KindContext, model: Model): SoftMark {
    const mark = SoftMark.of(context, model);
    if (mark !== undefined) return mark;
    const { className } = model.meta;
    const problem = `records of ${className} are deleted for good: say softDelete(${className}, { columnName: … })`;
    throw new UnfitModel(context.owner, problem);
  }

  /** The mark that a request sets. */
  deleted(request: RequestFacts): Mark {
    const at = nextInstant();
    const byOf = (soft: SoftEntity): unknown => this.#senderOf(soft, request);
    const values = new Map<Column, unknown>([[this.#at, at.toISOString()]]);
    if (this.#by !== undefined) values.set(this.#by, byOf(this.soft));
    return { at, byOf, values };
  }

  /** The mark taken away. */
  get restored(): Mark {
    const values = new Map(this.columns.map((column) => [column, null]));
    return { at: undefined, byOf: () => null, values };
  }

  /** The time at which a record was deleted. */
  timeOf(record: object): Date | undefined {
    const at: unknown = Reflect.get(record, this.soft.property.name);
    return at instanceof Date ? at : undefined;
  }

  /** The sender, as a value of the column; null where the request does not say it. */
  #senderOf({ by, options: { byClaim = 'sub' } }: SoftEntity, { authorizationData }: RequestFacts): unknown {
    const isObject = typeof authorizationData === 'object' && authorizationData !== null;
    if (by === undefined || !isObject || !Object.hasOwn(authorizationData, byClaim)) return null;
    const given: unknown = Reflect.get(authorizationData, byClaim);
    const type = narrowedTypeOf(keyOf(by) ?? by, this.platform);
    if (type.complaint(given) === undefined) return given;
    const read = typeof given === 'string' ? type.fromText(given) : given;
    return type.complaint(read) === undefined ? read : null;
  }
}

/** @throws TypeError for a property that the model has no column of: softDelete has looked for it */
function columnOf({ columns, meta }: Model, property: EntityProperty): Column {
  const column = [...columns.values()].find((one) => one.property.name === property.name);
  if (column === undefined) throw new TypeError(`${meta.className} has no column '${property.name}'`);
  return column;
}
