import { OrderValidator } from './order.validator.js';

/**
 * A date, time or number after that of another column of the record; the same is not after it.
 *
 * @example defineColumns(Trip, { endsOn: { validators: [new AfterColumn('startsOn')] } });
 */
export class AfterColumn extends OrderValidator {
  /** A column may have several such rules, each about another column. */
  readonly name = `AfterColumn ${this.siblingColumnName}`;
  protected override readonly side = 'after';
}
