import type { ColumnPath } from '../../model/model.js';
import { isReadAsText } from '../../model/column.js';
import type { GroupMember } from '../../query/groups/group.plan.js';
import { textOf, writeComparison } from '../comparison.js';
import type { Dialect } from '../dialect.js';
import { SelectStatement, type MatchesWriter } from '../select.statement.js';
import type { Statement, StatementWriter } from '../statement.js';
import type { TableSql } from '../table.sql.js';
import { groupValue, measuredValue } from './group.calculation.js';
import type { GroupsShape } from './group.shape.js';

/**
 * Writes the statement of a page of groups. The groups stand in a sub-select, whose values are numbers and times; rows have
 * them as text where a driver would round them.
 */
export function groupsStatement(dialect: Dialect, tables: TableSql, shape: GroupsShape): Statement {
  return SelectStatement.groups(dialect, tables, shape, (writer, { shown, groupings, order }, matches) => {
    const { length } = groupings;
    const list = shown.map((member, index) => {
      const value = valueOf(shape, member);
      return `${isReadAsText(member.result) ? dialect.asText(value) : value} as r${index}`;
    });
    writer.write(`select ${list.join(', ')} from (`);
    writeGroups(writer, shape, matches);
    if (length === 0) return;
    const keys = order.map(({ member, direction }) => dialect.order(valueOf(shape, member), direction));
    writer.write(` order by ${keys.join(', ')} limit ${writer.parameter(({ limit = 0 }) => limit + 1)}`);
    writer.write(` offset ${writer.parameter(({ start }) => start)}`);
  });
}

/** Writes the statement of the number of groups, as `total`. */
export function groupCountStatement(dialect: Dialect, tables: TableSql, shape: GroupsShape): Statement {
  return SelectStatement.groups(dialect, tables, shape, (writer, _shape, matches) => {
    writer.write('select count(*) as total from (');
    writeGroups(writer, shape, matches);
  });
}

/** The end of a sub-select that groups the records, and the conditions on the groups. */
function writeGroups(writer: StatementWriter, shape: GroupsShape, matches: MatchesWriter): void {
  const { groupings, measures, minimum } = shape;
  const uses: ColumnPath[] = [...groupings, ...measures].flatMap(({ path }) => path ?? []);
  matches(uses, (scope) => {
    const values = groupings.map((grouping, index) => `${groupValue(scope, grouping)} as g${index}`);
    const measured = measures.map((measure, index) => `${measuredValue(scope, measure)} as m${index}`);
    return [...values, ...measured].join(', ') || 'count(*) as m0';
  });
  if (groupings.length > 0) writer.write(` group by ${groupings.map((_, index) => index + 1).join(', ')}`);
  if (minimum > 1) writer.write(` having count(*) >= ${writer.parameter(() => minimum)}`);
  writer.write(') as found');
  writeConditions(writer, shape);
}

/** Writes the conditions on what is measured, and on the values of the only grouping. */
function writeConditions(
  writer: StatementWriter,
  { groupings, having, measures, hasPattern }: GroupsShape,
): void {
  let glue = ' where ';
  for (const [position, { measure, comparison, listLength }] of having.entries()) {
    const value = `m${measures.indexOf(measure)}`;
    const { result } = measure;
    writer.write(glue);
    // A sum has another type than its column, and a parameter takes that of what it is compared with.
    const isExact = result.type.arithmetic === 'integer' || result.type.arithmetic === 'decimal';
    const compared = isExact ? writer.dialect.asDecimal(value) : value;
    writeComparison(writer, compared, {
      column: result,
      comparison,
      isExact: false,
      listLength,
      value: ({ measured }) => measured?.[position],
    });
    glue = ' and ';
  }
  const [grouping] = groupings;
  if (!hasPattern || grouping === undefined) return;
  const value = textOf(writer.dialect, grouping.path.column, 'g0');
  const pattern = writer.parameter((inputs) => inputs.pattern);
  writer.write(`${glue}lower(${value}) like lower(${pattern}) escape ${writer.dialect.backslash}`);
}

function valueOf({ groupings, measures }: GroupsShape, member: GroupMember): string {
  const grouping = groupings.findIndex(({ text }) => text === member.text);
  return grouping === -1 ? `m${measures.findIndex(({ text }) => text === member.text)}` : `g${grouping}`;
}
