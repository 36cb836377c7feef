import { Alert, Box, Button, LinearProgress, Stack, Typography } from '@mui/material';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import {
  DeleteWithConfirmButton,
  Edit,
  Labeled,
  SaveButton,
  Toolbar,
  useEditContext,
  useNotify,
  useRecordContext,
  useRedirect,
  useRefresh,
} from 'react-admin';
import { nameOf, valueOf, type Screen } from '../model/screen.js';
import { textOf } from './fields.js';
import { RecordHistory } from './record.history.js';
import { RecordForm } from './record.form.js';
import { useSent } from './saved.js';

/** The screen that changes a record. Nothing is shown as done before the service has done it. */
export function RecordEdit({ screen }: { readonly screen: Screen }): ReactNode {
  const [conflict, setConflict] = useState<string>();
  const notify = useNotify();
  const redirect = useRedirect();
  const { isOpen, onSuccess } = useSent(screen.name, 'updated');
  const onError = (error: unknown): void => {
    const { status, message } = error as { status?: number; message: string };
    if (status === 412 && isOpen()) setConflict(message);
    else notify(message, { type: 'error' });
  };
  const onUnread = (error: unknown): void => {
    const { status, message } = error as { status?: number; message: string };
    notify(status === 404 ? 'ra.notification.item_doesnt_exist' : message, { type: 'error' });
    redirect('list', screen.name);
  };
  return (
    <Edit
      title={<EditTitle screen={screen} />}
      mutationMode="pessimistic"
      mutationOptions={{ onError, onSuccess }}
      queryOptions={{ ...asRead, onError: onUnread }}
      redirect="list"
      actions={false}
    >
      <WhenRead>
        <RecordForm
          screen={screen}
          isNew={false}
          toolbar={<EditToolbar screen={screen} />}
          before={
            conflict === undefined ? null : (
              <Conflict message={conflict} onDone={() => setConflict(undefined)} />
            )
          }
        />
      </WhenRead>
      <Shown screen={screen} />
      {screen.hasHistory ? <RecordHistory screen={screen} /> : null}
    </Edit>
  );
}

/** Not what a list has shown of the record, nor what there was when the form was open before: it would be replaced while people type. */
const asRead = { meta: { isForm: true }, gcTime: 0 } as const;

/** Shows nothing to type into while the record is read, again as well. */
function WhenRead({ children }: { readonly children: ReactNode }): ReactNode {
  const { isFetching } = useEditContext();
  return isFetching ? <LinearProgress aria-label="Loading" /> : children;
}

/** Somebody else was faster: what they wrote is read again, or what is in the form stays to be copied. */
function Conflict({ message, onDone }: { readonly message: string; readonly onDone: () => void }): ReactNode {
  const refresh = useRefresh();
  const alert = useRef<HTMLDivElement>(null);
  // The button that was refused may be far below.
  useEffect(() => {
    alert.current?.scrollIntoView({ block: 'center' });
  }, []);
  const read = (): void => {
    onDone();
    refresh();
  };
  return (
    <Alert
      ref={alert}
      severity="warning"
      sx={{ width: '100%', mb: 2, boxSizing: 'border-box' }}
      action={
        <Button color="inherit" size="small" onClick={read} sx={{ whiteSpace: 'nowrap' }}>
          Read again
        </Button>
      }
    >
      {message}
    </Alert>
  );
}

function EditToolbar({ screen }: { readonly screen: Screen }): ReactNode {
  return (
    <Toolbar sx={{ display: 'flex', justifyContent: 'space-between' }}>
      <SaveButton />
      {screen.resource.calls.delete === undefined ? null : (
        <DeleteWithConfirmButton
          mutationMode="pessimistic"
          confirmTitle={screen.trash === undefined ? 'Delete for good?' : 'Move to the trash?'}
          confirmContent={
            screen.trash === undefined ? 'It cannot be brought back.' : 'It can be restored from there.'
          }
        />
      )}
    </Toolbar>
  );
}

function EditTitle({ screen }: { readonly screen: Screen }): ReactNode {
  const record = useRecordContext();
  const name = record === undefined ? '' : nameOf(screen, record);
  return <span>{name === '' ? screen.label : name}</span>;
}

/** What the service alone writes. */
function Shown({ screen }: { readonly screen: Screen }): ReactNode {
  const record = useRecordContext();
  if (record === undefined || screen.shown.length === 0) return null;
  return (
    <Box sx={{ p: 2, borderTop: '1px solid #e3e7ef' }}>
      <Stack direction="row" sx={{ flexWrap: 'wrap', columnGap: 4, rowGap: 1 }}>
        {screen.shown.map((column) => (
          <Labeled key={column.name} label={column.label}>
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
              {textOf(column, valueOf(record, column.name))}
            </Typography>
          </Labeled>
        ))}
      </Stack>
    </Box>
  );
}
