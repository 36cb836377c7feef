import { Typography } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import {
  ChipField,
  FunctionField,
  ReferenceField,
  TextField,
  useRecordContext,
  type RaRecord,
} from 'react-admin';
import { labelOf, valueOf, type ScreenColumn } from '../model/screen.js';
import { useScreens } from './screens.context.js';

/** The field of a column: values as text, in the words of the reader's language. */
export function fieldOf(column: ScreenColumn): ReactElement {
  const { name, label, sort, reference, isSortable } = column;
  const common = { key: name, source: name, label, sortable: isSortable };
  if (reference !== undefined)
    return (
      <ReferenceField {...common} reference={reference} link={false} empty="–">
        <ReferenceName of={reference} />
      </ReferenceField>
    );
  if (sort === 'boolean')
    return <FunctionField {...common} render={(record: RaRecord) => textOf(column, valueOf(record, name))} />;
  if (sort === 'choice') return <ChipField {...common} size="small" emptyText="–" />;
  if (sort === 'date' || sort === 'time' || sort === 'number')
    return (
      <FunctionField
        {...common}
        {...(sort === 'number' ? { textAlign: 'right' as const } : {})}
        render={(record: RaRecord) => textOf(column, valueOf(record, name))}
      />
    );
  return <TextField {...common} emptyText="–" />;
}

/** The name of the record that a column refers to. */
function ReferenceName({ of }: { readonly of: string }): ReactNode {
  const record = useRecordContext();
  const screen = useScreens().screens.get(of);
  return record === undefined || screen === undefined ? null : (
    <Typography component="span" variant="body2">
      {labelOf(screen, record)}
    </Typography>
  );
}

/** A value as people read it. */
export function textOf({ sort }: Pick<ScreenColumn, 'sort'>, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number' && sort === 'number')
    return value.toLocaleString(undefined, { maximumFractionDigits: 6 });
  if (typeof value !== 'string') return JSON.stringify(value);
  if (sort === 'date') return dateText(value, { dateStyle: 'medium', timeZone: 'UTC' });
  return sort === 'time' ? dateText(value, { dateStyle: 'medium', timeStyle: 'short' }) : value;
}

function dateText(value: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : new Intl.DateTimeFormat(undefined, options).format(date);
}
