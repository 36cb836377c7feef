import type { ReactElement } from 'react';
import {
  AutocompleteArrayInput,
  AutocompleteInput,
  BooleanInput,
  DateInput,
  DateTimeInput,
  NumberInput,
  ReferenceArrayInput,
  ReferenceInput,
  required,
  SelectInput,
  TextArrayInput,
  TextInput,
} from 'react-admin';
import type { ScreenColumn } from '../model/screen.js';
import { isSingle } from '../model/schema.view.js';
import { instantOf, localTime } from './instant.js';
import { JsonInput } from './json.input.js';
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
  const { sort, reference, initial, isRequired } = column;
  const named = { source, label, variant: 'outlined' as const };
  const common = { ...named, ...(isRequired && !isFilter ? { validate: required() } : {}) };
  const first = isFilter || initial === undefined ? {} : { defaultValue: initial };
  const input = { ...common, ...first };
  if (reference !== undefined) {
    const screen = screens.get(reference);
    const canSearch = screen?.hasWords === true || screen?.exactly !== undefined;
    const choices = { source, reference, ...(screen ? { sort: screen.order } : {}) };
    const filterToQuery = (text: string): object => (text === '' || !canSearch ? {} : { q: text });
    return isSingle(sort) ? (
      <ReferenceInput {...choices}>
        <AutocompleteInput {...common} filterToQuery={filterToQuery} fullWidth />
      </ReferenceInput>
    ) : (
      <ReferenceArrayInput {...choices}>
        <AutocompleteArrayInput {...common} filterToQuery={filterToQuery} fullWidth />
      </ReferenceArrayInput>
    );
  }
  if (sort === 'texts')
    return (
      <TextArrayInput
        {...common}
        {...(Array.isArray(initial) ? { defaultValue: initial.map(String) } : {})}
        fullWidth
      />
    );
  if (!isSingle(sort)) return <JsonInput {...named} {...first} isRequired={isRequired} />;
  if (sort === 'choice')
    return (
      <SelectInput {...input} choices={column.choices.map((id) => ({ id, name: String(id) }))} fullWidth />
    );
  if (sort === 'boolean')
    return isFilter ? (
      <SelectInput
        {...input}
        choices={yesAndNo}
        parse={(text: string) => (text === '' ? null : text === 'true')}
        format={(value: unknown) => (typeof value === 'boolean' ? String(value) : '')}
      />
    ) : (
      <BooleanInput {...input} />
    );
  if (sort === 'number') return <NumberInput {...input} fullWidth />;
  if (sort === 'date') return <DateInput {...input} fullWidth />;
  if (sort === 'time')
    return <DateTimeInput {...input} format={localTime} parse={instantOf} slotProps={anySecond} fullWidth />;
  const type = sort === 'email' ? { type: 'email' } : {};
  return (
    <TextInput {...input} {...type} {...(sort === 'long' ? { multiline: true, minRows: 3 } : {})} fullWidth />
  );
}

/** Browsers take whole minutes alone, after the seconds of the instant that they were given first. */
const anySecond = { htmlInput: { step: 'any' } };

const yesAndNo = [
  { id: 'true', name: 'Yes' },
  { id: 'false', name: 'No' },
];
