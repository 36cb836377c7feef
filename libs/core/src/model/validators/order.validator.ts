import { incomparable, isBefore } from '../column.order.js';
import type { ColumnType } from '../column.type.js';
import { SiblingValidator, type SiblingContext } from '../validator.js';

const inverse = { before: 'after', after: 'before' } as const;

/** The common part of BeforeColumn and AfterColumn: a date, time or number on one side of another column's. */
export abstract class OrderValidator extends SiblingValidator {
  protected abstract readonly side: 'before' | 'after';

  override misfit(type: ColumnType, siblingType: ColumnType): string | undefined {
    return incomparable(type, siblingType);
  }

  complaint(value: unknown, sibling: unknown, context: SiblingContext): string | undefined {
    return complaintAbout(value, this.side, sibling, context);
  }

  complaintAboutSibling(value: unknown, sibling: unknown, context: SiblingContext): string | undefined {
    return complaintAbout(value, inverse[this.side], sibling, context);
  }
}

function complaintAbout(
  value: unknown,
  side: 'before' | 'after',
  sibling: unknown,
  { type, siblingType, siblingName }: SiblingContext,
): string | undefined {
  const own = { type, value };
  const other = { type: siblingType, value: sibling };
  const isRight = side === 'before' ? isBefore(own, other) : isBefore(other, own);
  return isRight ? undefined : `value should be ${side} '${siblingName}'`;
}
