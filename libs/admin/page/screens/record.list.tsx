import DeleteOutlineIcon from '@mui/icons-material/DeleteOutline';
import { useMediaQuery, type Theme } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import {
  BulkDeleteButton,
  Button,
  CreateButton,
  Datagrid,
  FilterButton,
  List,
  SearchInput,
  SimpleList,
  TopToolbar,
  type RaRecord,
} from 'react-admin';
import { Link } from 'react-router-dom';
import { nameOf, valueOf, type Screen } from '../model/screen.js';
import { fieldOf, textOf } from './fields.js';
import { ColumnInput } from './inputs.js';

/** The list of some records. */
export function RecordList({ screen }: { readonly screen: Screen }): ReactNode {
  const filters = filtersOf(screen);
  return (
    <List
      title={screen.label}
      sort={screen.order}
      filters={filters}
      actions={<ListActions screen={screen} hasFilters={filters.length > 0} />}
      exporter={false}
      // A page for those who have no records yet leads nowhere but to a new one.
      {...(screen.trash === undefined ? {} : { empty: false as const })}
      perPage={25}
    >
      <Rows screen={screen} />
    </List>
  );
}

function ListActions(props: { readonly screen: Screen; readonly hasFilters: boolean }): ReactNode {
  const { trash, resource } = props.screen;
  return (
    <TopToolbar>
      {props.hasFilters ? <FilterButton /> : null}
      {trash === undefined ? null : (
        <Button component={Link} {...{ to: `/${trash.name}` }} label="Trash">
          <DeleteOutlineIcon />
        </Button>
      )}
      {resource.calls.create === undefined ? null : (
        <CreateButton label="Create" variant="contained" sx={{ ml: 1 }} />
      )}
    </TopToolbar>
  );
}

function Rows({ screen }: { readonly screen: Screen }): ReactNode {
  const isSmall = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  const { calls } = screen.resource;
  const canDelete = calls.delete !== undefined || calls.deleteMany !== undefined;
  const rowClick = calls.update === undefined ? false : 'edit';
  if (isSmall) return <PhoneRows screen={screen} />;
  return (
    <Datagrid
      rowClick={rowClick}
      bulkActionButtons={canDelete ? <BulkDeleteButton mutationMode="pessimistic" /> : false}
    >
      {screen.listed.map(fieldOf)}
    </Datagrid>
  );
}

/** Cards instead of columns: a value without its label would tell nothing. */
function PhoneRows({ screen }: { readonly screen: Screen }): ReactNode {
  const shown = screen.listed
    .filter(
      ({ name, reference, sort }) =>
        name !== screen.representation && reference === undefined && sort !== 'boolean',
    )
    .slice(0, 2);
  const factsOf = (record: RaRecord): string =>
    shown
      .map((column) => [column, valueOf(record, column.name) ?? ''] as const)
      .filter(([, value]) => value !== '')
      .map(([column, value]) => `${column.label}: ${textOf(column, value)}`)
      .join(' · ');
  return (
    <SimpleList
      primaryText={(record: RaRecord) => nameOf(screen, record)}
      secondaryText={factsOf}
      rowClick={screen.resource.calls.update === undefined ? false : 'edit'}
    />
  );
}

/** A filter for each column that can be searched; words where there is something that has them. */
function filtersOf({ searched, hasWords, exactly }: Screen): ReactElement[] {
  const search =
    hasWords || exactly !== undefined
      ? [<SearchInput key="q" source="q" alwaysOn placeholder="Search" variant="outlined" />]
      : [];
  const others = searched.flatMap((column) => {
    const { name, label, operators, sort } = column;
    const one = (operator: string, text: string): ReactElement => {
      const source = operator === '=' ? name : `${name}@${operator}`;
      return <ColumnInput key={source} column={column} source={source} label={text} isFilter />;
    };
    const isSpan = sort === 'number' || sort === 'date' || sort === 'time';
    if (isSpan && operators.includes('>=') && operators.includes('<=') && column.reference === undefined)
      return [one('>=', `${label} from`), one('<=', `${label} to`)];
    if ((sort === 'text' || sort === 'long') && operators.includes('contains'))
      return [one('contains', label)];
    return operators.includes('=') ? [one('=', label)] : [];
  });
  return [...search, ...others];
}
