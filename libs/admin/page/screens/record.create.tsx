import type { ReactNode } from 'react';
import { Create } from 'react-admin';
import type { Screen } from '../model/screen.js';
import { RecordForm } from './record.form.js';

/** The screen that makes a record. */
export function RecordCreate({ screen }: { readonly screen: Screen }): ReactNode {
  return (
    <Create title={`${screen.label}: new`} redirect="list">
      <RecordForm screen={screen} isNew />
    </Create>
  );
}
