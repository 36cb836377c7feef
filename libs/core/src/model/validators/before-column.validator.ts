import { OrderValidator } from './order.validator.js';

/**
 * A date, time or number before that of another column of the record; the same is not before it.
 *
 * @example defineColumns(Trip, { startsOn: { validators: [new BeforeColumn('endsOn')] } });
 */
export class BeforeColumn extends OrderValidator {
  /** A column may have several such rules, each about another column. */
  readonly name = `BeforeColumn ${this.siblingColumnName}`;
  protected override readonly side = 'before';
}
