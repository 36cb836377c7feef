import type { ReactElement } from 'react';
import {
  AutocompleteInput,
  BooleanInput,
  DateInput,
  DateTimeInput,
  NumberInput,
  ReferenceInput,
  required,
  SelectInput,
  TextInput,
} from 'react-admin';
import type { ScreenColumn } from '../model/screen.js';
import { useScreens } from './screens.context.js';

/** The input of a column, in a form or among filters. */
export function ColumnInput(props: {
  readonly column: ScreenColumn;
  readonly source?: string;
  readonly label?: string;
  readonly isFilter?: boolean;
}): ReactElement {
  const { column, source = column.name, label = column.label, isFilter = false } = props;
  const { screens } = useScreens();
  const { sort, reference, choices, initial, isRequired } = column;
  const common = {
    source,
    label,
    variant: 'outlined' as const,
    ...(isRequired && !isFilter ? { validate: required() } : {}),
  };
  const input = isFilter || initial === undefined ? common : { ...common, defaultValue: initial };
  if (reference !== undefined) {
    const screen = screens.get(reference);
    const canSearch = screen?.hasWords === true || screen?.exactly !== undefined;
    return (
      <ReferenceInput source={source} reference={reference} {...(screen ? { sort: screen.order } : {})}>
        <AutocompleteInput
          {...common}
          filterToQuery={(text: string) => (text === '' || !canSearch ? {} : { q: text })}
          fullWidth
        />
      </ReferenceInput>
    );
  }
  if (sort === 'choice')
    return <SelectInput {...input} choices={choices.map((id) => ({ id, name: id }))} fullWidth />;
  if (sort === 'boolean')
    return isFilter ? (
      <SelectInput
        {...input}
        choices={yesAndNo}
        parse={(value: string) => value === 'true'}
        format={String}
      />
    ) : (
      <BooleanInput {...input} />
    );
  if (sort === 'number') return <NumberInput {...input} fullWidth />;
  if (sort === 'date') return <DateInput {...input} fullWidth />;
  if (sort === 'time') return <DateTimeInput {...input} fullWidth />;
  const type = sort === 'email' ? { type: 'email' } : {};
  return (
    <TextInput {...input} {...type} {...(sort === 'long' ? { multiline: true, minRows: 3 } : {})} fullWidth />
  );
}

const yesAndNo = [
  { id: 'true', name: 'Yes' },
  { id: 'false', name: 'No' },
];
