import type { ReactElement } from 'react';
import {
  AutocompleteInput,
  BooleanInput,
  DateInput,
  DateTimeInput,
  NumberInput,
  ReferenceArrayInput,
  ReferenceInput,
  SelectInput,
  TextArrayInput,
  TextInput,
  type RaRecord,
} from 'react-admin';
import { labelOf, type ScreenColumn } from '../model/screen.js';
import { isSingle } from '../model/schema.view.js';
import { instantOf, localTime } from './instant.js';
import { JsonInput } from './json.input.js';
import { present, required } from './required.js';
import { useScreens } from './screens.context.js';

/**
 * The input of a column, in a form or among filters. One of a record that there is has no default: it would be sent in place of what
 * the record has and does not show.
 */
export function ColumnInput(props: {
  readonly column: ScreenColumn;
  readonly source?: string;
  readonly label?: string;
  readonly isFilter?: boolean;
  readonly isNew?: boolean;
}): ReactElement {
  const { column, source = column.name, label = column.label, isFilter = false, isNew = false } = props;
  const { screens } = useScreens();
  const { sort, reference, initial, isRequired } = column;
  const named = { source, label, variant: 'outlined' as const };
  const validate = isSingle(sort) ? required : present;
  const common = { ...named, ...(isRequired && !isFilter ? { validate } : {}) };
  const first = isNew && initial !== undefined ? { defaultValue: initial } : {};
  const input = { ...common, ...first };
  if (reference !== undefined) {
    const screen = screens.get(reference);
    const canSearch = screen?.hasWords === true || screen?.exactly !== undefined;
    const choices = { source, reference, ...(screen ? { sort: screen.order } : {}) };
    const optionText = (record: RaRecord): string => (screen ? labelOf(screen, record) : String(record.id));
    const filterToQuery = (text: string): object => (text === '' || !canSearch ? {} : { q: text });
    return isSingle(sort) ? (
      <ReferenceInput {...choices}>
        <AutocompleteInput {...common} optionText={optionText} filterToQuery={filterToQuery} fullWidth />
      </ReferenceInput>
    ) : (
      <ReferenceArrayInput {...choices}>
        <AutocompleteInput
          {...common}
          {...(isNew ? { defaultValue: [] } : {})}
          multiple
          optionText={optionText}
          filterToQuery={filterToQuery}
          fullWidth
        />
      </ReferenceArrayInput>
    );
  }
  if (sort === 'texts')
    return (
      <TextArrayInput
        {...common}
        {...(isNew ? { defaultValue: textsOf(initial, isRequired) } : {})}
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
      // It would put false where nothing is said.
      <BooleanInput {...common} defaultValue={isNew ? (initial ?? false) : null} />
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

/** The texts that a new record starts with: one that must have some may have none of them. */
function textsOf(initial: unknown, isRequired: boolean): string[] | undefined {
  if (Array.isArray(initial)) return initial.map(String);
  return isRequired ? [] : undefined;
}

/** Browsers take whole minutes alone, after the seconds of the instant that they were given first. */
const anySecond = { htmlInput: { step: 'any' } };

const yesAndNo = [
  { id: 'true', name: 'Yes' },
  { id: 'false', name: 'No' },
];
