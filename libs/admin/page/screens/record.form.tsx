import AddIcon from '@mui/icons-material/Add';
import { Box, Button, Typography } from '@mui/material';
import { useState, type ReactNode } from 'react';
import {
  ArrayInput,
  BooleanInput,
  FormDataConsumer,
  RemoveItemButton,
  SimpleForm,
  SimpleFormIterator,
  TextInput,
  useSimpleFormIterator,
  type SimpleFormProps,
} from 'react-admin';
import { emptiedPlace, emptyValue } from '../emptied.columns.js';
import type { NestedRecords, Screen, ScreenColumn } from '../model/screen.js';
import { isStored } from '../nested.changes.js';
import { ColumnInput } from './inputs.js';

function AddButton({ label }: { readonly label: string }): ReactNode {
  const { add } = useSimpleFormIterator();
  return (
    <Button size="small" startIcon={<AddIcon />} onClick={() => add()}>
      {`Add to ${label.toLowerCase()}`}
    </Button>
  );
}

/** The form of a record, with those that are written along. */
export function RecordForm(props: {
  readonly screen: Screen;
  readonly isNew: boolean;
  readonly toolbar?: SimpleFormProps['toolbar'];
  readonly before?: ReactNode;
}): ReactNode {
  const { screen, isNew, toolbar, before } = props;
  const columns = screen.written.filter(({ isCreatable, isUpdatable }) =>
    isNew ? isCreatable : isUpdatable,
  );
  const isShown = ({ name }: ScreenColumn): boolean => screen.resource.columns.get(name)?.isReadable === true;
  const nested = screen.nested.filter((one) => (isNew ? one.isCreatable : one.resource !== undefined));
  return (
    <SimpleForm warnWhenUnsavedChanges {...(toolbar === undefined ? {} : { toolbar })}>
      {before}
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' },
          columnGap: 2,
          width: '100%',
        }}
      >
        {columns.map((column) => (
          <Box key={column.name} sx={column.sort === 'long' ? { gridColumn: '1 / -1' } : { minWidth: 0 }}>
            <WrittenInput column={column} isNew={isNew} isShown={isShown(column)} />
          </Box>
        ))}
      </Box>
      {nested.map((one) => (
        <NestedInput key={one.name} nested={one} isNew={isNew} />
      ))}
    </SimpleForm>
  );
}

function NestedInput({
  nested,
  isNew,
}: {
  readonly nested: NestedRecords;
  readonly isNew: boolean;
}): ReactNode {
  const { name, label, columns, operations, needsVersion } = nested;
  // A deletion along with others says no version.
  const canDelete = operations.includes('delete') && !needsVersion;
  return (
    <Box component="section" aria-label={label} sx={{ width: '100%', mt: 1 }}>
      <Typography variant="h6" component="h2" sx={{ mb: 1 }}>
        {label}
      </Typography>
      <ArrayInput source={name} label={false} fullWidth>
        <SimpleFormIterator
          inline
          disableReordering
          disableClear
          removeButton={<RemoveItemButton color="inherit" />}
          sx={entries}
          disableAdd={!isNew && !operations.includes('create')}
          disableRemove={(entry) => isStored(entry) && !canDelete}
          fullWidth
          addButton={<AddButton label={label} />}
        >
          {columns.map((column) => (
            <EntryInput key={column.name} column={column} isKey={column.name === nested.keyName} />
          ))}
          {/* One input alone would be taken for a value that is no record. */}
          {null}
        </SimpleFormIterator>
      </ArrayInput>
    </Box>
  );
}

/**
 * The input of a column. Where a record does not show what it has, nobody must fill it in again, and an empty input tells nothing: a
 * switch empties it.
 */
function WrittenInput({
  column,
  isNew,
  isShown,
}: {
  readonly column: ScreenColumn;
  readonly isNew: boolean;
  readonly isShown: boolean;
}): ReactNode {
  if (isNew || isShown) return <ColumnInput column={column} isNew={isNew} />;
  return (
    <>
      <ColumnInput column={{ ...column, isRequired: false }} />
      {emptyValue(column) === undefined ? null : (
        <BooleanInput
          source={emptiedPlace(column)}
          label={`Empty “${column.label}” when saved`}
          defaultValue={false}
          helperText={false}
        />
      )}
    </>
  );
}

interface EntryColumn {
  readonly column: ScreenColumn;
  readonly isKey: boolean;
}

function EntryInput(props: EntryColumn): ReactNode {
  return (
    <FormDataConsumer>
      {({ scopedFormData }) => <InputOfEntry {...props} entry={scopedFormData} />}
    </FormDataConsumer>
  );
}

interface SeenEntry extends EntryColumn {
  readonly entry: Readonly<Record<string, unknown>> | undefined;
}

/** The input of a column of an entry: one that was there before has a key, which stays, and what its record shows. */
function InputOfEntry({ column, isKey, entry }: SeenEntry): ReactNode {
  // As it was first: an input puts its own name there.
  const [first] = useState(entry);
  const isNew = !isStored(first);
  if (isKey && !isNew)
    return <TextInput source={column.name} label={column.label} variant="outlined" readOnly fullWidth />;
  const value = first?.[column.name];
  // What has no value may stay so.
  const isRequired = column.isRequired && (isNew || (value !== undefined && value !== null));
  return <WrittenInput column={{ ...column, isRequired }} isNew={isNew} isShown={value !== undefined} />;
}

/** Each entry has a frame, and its button is seen without a mouse, too. */
const entries = {
  '& .RaSimpleFormIterator-line': {
    ...{ display: 'flex', alignItems: 'flex-start', p: '12px 8px 0 16px', mb: 1 },
    ...{ border: '1px solid #e3e7ef !important', borderRadius: 2, bgcolor: '#fafbfd' },
  },
  '& .RaSimpleFormIterator-form': { flex: 1, minWidth: 0, columnGap: 2, rowGap: 0 },
  '& .RaSimpleFormIterator-action': { visibility: 'visible', color: 'text.secondary', ml: 0.5 },
  '& .MuiInputBase-root': { bgcolor: '#fff' },
} as const;
