import { checkArguments } from '../../options/checked.arguments.js';
import { callable } from '../../options/checks.js';
import { untimely } from '../column.order.js';
import type { ColumnType } from '../column.type.js';
import { ValueValidator, type ComplaintContext } from '../validator.js';

/** A date or time that is over; a date is when it is before today in UTC. */
export class InThePast extends ValueValidator {
  readonly name = 'InThePast';

  /** @param now the time in milliseconds since 1970. Default: the system's clock */
  constructor(private readonly now: () => number = Date.now) {
    super();
    checkArguments('InThePast', { now: [now, callable] });
  }

  override misfit(type: ColumnType): string | undefined {
    return untimely(type);
  }

  complaint(value: unknown, { type }: ComplaintContext): string | undefined {
    return type.timeOf(value).end <= this.now() ? undefined : 'value should be in the past';
  }
}
