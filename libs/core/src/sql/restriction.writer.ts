import type { EntityProperty } from '@mikro-orm/core';
import type { ExactText } from './dialects/exact.text.js';
import { isBinding, type PlainCondition, type Restriction } from './restriction.js';
import type { Slot, StatementInputs, StatementWriter } from './statement.js';

const asItIs: Pick<ExactText, 'list' | 'value'> = {
  list: (placeholder) => placeholder,
  value: (placeholder) => placeholder,
};

/** The place in a statement where a restriction is written. */
interface PlainPlace {
  /** The column of a property, with its table. */
  readonly field: (property: EntityProperty) => string;
  /** The restriction of a request, of the shape that is written; what it has not got no record meets. */
  readonly of: (inputs: StatementInputs) => Restriction | undefined;
  /** True if only what records that are written must meet is asked. Default false. */
  readonly isWritten?: boolean;
  /** True if others refer to the records here: the statement is not for them. Default false. */
  readonly isReferred?: boolean;
}

interface Place extends PlainPlace {
  /** The columns of the keys, with their table: a row where there are several. */
  readonly keys: string;
  /** The test that a record is still the one that sub-selects see; undefined where no statement waits for it. */
  readonly isAsSeen?: string | undefined;
}

/**
 * Writes a restriction behind `glue`, and tells whether there was something to write.
 */
export function writeRestriction(
  writer: StatementWriter,
  restriction: Restriction,
  place: Place,
  glue: string,
): boolean {
  const { keys, groups } = restriction;
  const { keys: columns, of, isWritten = false, isAsSeen } = place;
  let next = writeConditions(writer, restriction, place, glue);
  if (keys !== undefined && !isWritten) {
    const [begin, end] = writer.dialect.within;
    writer.write(`${next}${columns} in ${begin}`);
    writer.fragment(keys.sql, (inputs) => of(inputs)?.keys).write(end);
    if (isAsSeen !== undefined) writer.write(` and ${isAsSeen}`);
    next = ' and ';
  }
  for (const [nth, group] of groups.entries()) {
    if (isWritten && !isBinding(group)) continue;
    writer.write(`${next}(`);
    // Where no rule is left, no record meets it.
    if (group.length === 0) writer.write('1 = 0');
    for (const [index, one] of group.entries()) {
      const member = { ...place, of: (inputs: StatementInputs) => of(inputs)?.groups[nth]?.[index] };
      writer.write(index === 0 ? '(' : ' or (');
      if (!writeRestriction(writer, one, member, '')) writer.write('1 = 1');
      writer.write(')');
    }
    writer.write(')');
    next = ' and ';
  }
  return next !== glue;
}

/** Writes the plain conditions of a restriction alone. @returns what stands before the next one */
export function writeConditions(
  writer: StatementWriter,
  { conditions }: Restriction,
  { field, of, isWritten = false, isReferred = false }: PlainPlace,
  glue: string,
): string {
  let next = glue;
  for (const [index, condition] of conditions.entries()) {
    if (isWritten && condition.isSticky !== true) continue;
    if ((isReferred ? condition.isOfSubject : condition.isOfReferred) === true) continue;
    writer.write(next);
    writePlain(writer, field(condition.property), condition, (inputs) =>
      valueOf(of(inputs)?.conditions[index]),
    );
    next = ' and ';
  }
  return next;
}

/** Writes a plain condition on a field, whose value the slot gives. */
function writePlain(
  writer: StatementWriter,
  field: string,
  { comparison, value, exact }: PlainCondition,
  slot: Slot,
): void {
  if (comparison === 'is null' || comparison === 'is not null') writer.write(`${field} ${comparison}`);
  else if (comparison === 'in') {
    const values = value as readonly unknown[];
    writer.write(among(writer, field, values, slot));
    // The usual comparison stays, because an index knows that alone.
    if (exact !== undefined) writer.write(` and ${among(writer, exact.field(field), values, slot, exact)}`);
  } else {
    writer.write(`${field} ${comparison === '!=' ? '<>' : comparison} ${writer.parameter(slot)}`);
    if (exact !== undefined)
      writer.write(` and ${exact.field(field)} = ${exact.value(writer.parameter(slot))}`);
  }
}

/** The value of a condition that a request brings; null, which nothing is equal to, where it brings none. */
function valueOf(condition: PlainCondition | undefined): unknown {
  return condition?.value ?? null;
}

function among(
  writer: StatementWriter,
  field: string,
  { length }: readonly unknown[],
  slot: Slot,
  { list: exactList, value }: Pick<ExactText, 'list' | 'value'> = asItIs,
): string {
  const listed: Slot = (inputs) => slot(inputs) ?? [];
  const list = writer.dialect.among(field, 0, (serialize) =>
    exactList(writer.parameter((inputs) => serialize(listed(inputs) as readonly unknown[]))),
  );
  if (list !== undefined) return list;
  if (length === 0) return '1 = 0';
  const each = Array.from({ length }, (_, index) =>
    value(writer.parameter((inputs) => (listed(inputs) as readonly unknown[])[index] ?? null)),
  );
  return `${field} in (${each.join(', ')})`;
}
