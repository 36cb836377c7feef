import type { ReactNode } from 'react';
import { Create } from 'react-admin';
import type { Screen } from '../model/screen.js';
import { RecordForm } from './record.form.js';
import { useSent } from './saved.js';

/** The screen that makes a record. */
export function RecordCreate({ screen }: { readonly screen: Screen }): ReactNode {
  const { onSuccess } = useSent(screen.name, 'created');
  return (
    <Create title={`${screen.label}: new`} redirect="list" mutationOptions={{ onSuccess }}>
      <RecordForm screen={screen} isNew />
    </Create>
  );
}
