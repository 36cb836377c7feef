import type { Column } from '../../model/column.js';
import { CountColumn } from '../../model/columns/measured/count.column.js';
import { MeanColumn } from '../../model/columns/measured/mean.column.js';
import { DateColumn } from '../../model/columns/date.column.js';
import { DatetimeColumn } from '../../model/columns/datetime.column.js';
import { DecimalColumn } from '../../model/columns/decimal.column.js';
import { FloatColumn } from '../../model/columns/float.column.js';
import type { ColumnType } from '../../model/column.type.js';
import type { ColumnPath, Model } from '../../model/model.js';
import { ConfigurationError, oneOf } from '../../wire/configuration.error.js';
import type { NameTable } from '../../wire/name.table.js';
import { visible } from '../selection.js';
import { calculations, type Bucket, type Calculation } from './calculation.js';
import type { Grouping, GroupMember, Measure } from './group.plan.js';
import { keptTimeOf } from './kept.time.js';

/** A column of times, which records are grouped by in spans. */
export interface BucketedColumn<Name extends string = string> {
  readonly column: Name;
  /** The spans that a client may ask for. */
  readonly buckets: readonly Bucket[];
}

/** The endpoint whose options are read. */
export interface GroupSource {
  readonly owner: string;
  readonly model: Model;
  readonly names: NameTable;
}

/** Reads what clients may group by, by external names. @throws ConfigurationError for columns that make no groups */
export function groupingsOf(
  source: GroupSource,
  option: string,
  entries: readonly (string | BucketedColumn)[],
): ReadonlyMap<string, Grouping> {
  const { owner, model, names } = source;
  const groupings = entries.flatMap((entry): Grouping[] => {
    const path = visible(owner, model, typeof entry === 'string' ? entry : entry.column, option);
    const refuse = (reason: string): never => {
      throw new ConfigurationError(owner, option, `'${path.text}' ${reason}`);
    };
    if (typeof entry === 'string') return [wholeGrouping(source, path, refuse)];
    return entry.buckets.map((bucket) => bucketGrouping(source, path, bucket, refuse));
  });
  return new Map(indexed(owner, names, option, groupings));
}

/** Reads what clients may measure, by external names; the number of records always. @throws ConfigurationError */
export function measuresOf(
  { owner, model, names }: GroupSource,
  option: string,
  given: Readonly<Record<string, readonly Calculation[] | undefined>>,
): ReadonlyMap<string, Measure> {
  const count: Measure = {
    name: names.control('count'),
    text: 'count',
    keys: [names.inward('count')],
    path: undefined,
    calculation: 'count',
    result: resulting(model.idColumn, new CountColumn()),
  };
  const measures = Object.entries(given).flatMap(([name, wanted = []]) => {
    const path = visible(owner, model, name, option);
    refuseMany(path, (reason) => {
      throw refusal(owner, option, path, reason);
    });
    const allowed = calculations.filter((calculation) => canCalculate(path.column, calculation));
    return wanted.map((calculation): Measure => {
      if (!allowed.includes(calculation))
        throw refusal(owner, option, path, `cannot be measured by ${calculation}; ${oneOf(allowed)}`);
      return {
        name: `${names.outward(path.text)}.${names.control(calculation)}`,
        text: `${path.text} ${calculation}`,
        keys: keysOf(names, path, calculation),
        path,
        calculation,
        result: resulting(path.column, resultOf(path.column, calculation)),
      };
    });
  });
  return new Map(indexed(owner, names, option, [count, ...measures]));
}

/** Refuses two values of one answer that would have one key. */
export function refuseAlike(owner: string, names: NameTable, members: Iterable<GroupMember>): void {
  const known = new Map<string, GroupMember>();
  for (const member of members) {
    const key = names.outward(member.keys.join('.'));
    const other = known.get(key);
    if (other !== undefined)
      throw new ConfigurationError(
        owner,
        'measurableColumnNames',
        `'${other.name}' and '${member.name}' are both '${key}' in an answer`,
      );
    known.set(key, member);
  }
}

function wholeGrouping(
  { names }: GroupSource,
  path: ColumnPath,
  refuse: (reason: string) => never,
): Grouping {
  const { column } = path;
  refuseMany(path, refuse);
  if (column.type.storage !== 'scalar' || column.type.arithmetic === 'float')
    return refuse('cannot be grouped by: its values are no few that can be told apart');
  if (column.conversion !== undefined)
    return refuse('has a MikroORM type of its own, so it cannot be grouped by');
  if (column.type.equalityWidth > 0)
    return refuse(
      `has too many values to group by; name spans: { column: '${path.text}', buckets: ['day'] }`,
    );
  return {
    name: names.outward(path.text),
    text: path.text,
    keys: path.text.split('.'),
    path,
    bucket: undefined,
    result: resulting(column, column.type),
  };
}

function bucketGrouping(
  { names }: GroupSource,
  path: ColumnPath,
  bucket: Bucket,
  refuse: (reason: string) => never,
): Grouping {
  const { column } = path;
  refuseMany(path, refuse);
  const kept = column.conversion === undefined ? keptTimeOf(column) : undefined;
  if (kept === undefined) return refuse('has no buckets: these are of dates and date-times');
  if (kept === 'day' && bucket === 'hour') return refuse('is a date, which has no hours');
  return {
    name: `${names.outward(path.text)}.${names.control(bucket)}`,
    text: `${path.text} by ${bucket}`,
    keys: keysOf(names, path, bucket),
    path,
    bucket,
    result: resulting(column, bucket === 'hour' ? new DatetimeColumn() : new DateColumn()),
  };
}

function keysOf(names: NameTable, { text }: ColumnPath, word: string): readonly string[] {
  const keys = text.split('.');
  return [...keys.slice(0, -1), names.joined(keys.at(-1) ?? '', word)];
}

function refuseMany({ relations, column }: ColumnPath, refuse: (reason: string) => never): void {
  if (relations.some(({ isToMany }) => isToMany) || column.type.storage === 'links')
    refuse('cannot be used here: a record has many of them');
}

function refusal(owner: string, option: string, { text }: ColumnPath, reason: string): ConfigurationError {
  return new ConfigurationError(owner, option, `'${text}' ${reason}`);
}

/** True if a calculation says something of the values of a column. */
function canCalculate({ type, conversion }: Column, calculation: Calculation): boolean {
  if (calculation === 'count') return true;
  if (conversion !== undefined || type.storage !== 'scalar') return false;
  if (calculation === 'count_distinct') return true;
  const isNumber = type.arithmetic !== undefined;
  return calculation === 'sum' || calculation === 'avg'
    ? isNumber
    : type.ordering !== undefined || type.isText;
}

function resultOf({ type }: Column, calculation: Calculation): ColumnType {
  switch (calculation) {
    case 'count':
    case 'count_distinct':
      return new CountColumn();
    case 'sum':
      return type.arithmetic === 'float' ? new FloatColumn() : new DecimalColumn();
    case 'avg':
      return type.arithmetic === 'decimal' ? new MeanColumn() : new FloatColumn();
    case 'min':
    case 'max':
      return type;
  }
}

/** The column that values would have which are made of those of another one. */
function resulting(column: Column, type: ColumnType): Column {
  const { name, property } = column;
  const plain = {
    message: undefined,
    deprecated: false,
    validators: [],
    impliedValidators: [],
    conversion: undefined,
  };
  return {
    name,
    property,
    type,
    nullable: true,
    hiddenBecause: undefined,
    readOnlyBecause: undefined,
    ...plain,
  };
}

/** External name → member. */
function indexed<T extends GroupMember>(
  owner: string,
  names: NameTable,
  option: string,
  members: readonly T[],
): [string, T][] {
  const known = new Map<string, T>();
  for (const member of members) {
    const other = known.get(member.name);
    if (other !== undefined && other.text !== member.text)
      throw new ConfigurationError(
        owner,
        option,
        `'${other.text}' and '${member.text}' are both '${member.name}' on the wire`,
      );
    known.set(member.name, member);
  }
  return [...known];
}
