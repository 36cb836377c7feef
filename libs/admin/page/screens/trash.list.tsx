import ArrowBackIcon from '@mui/icons-material/ArrowBack';
import RestoreIcon from '@mui/icons-material/RestoreFromTrash';
import { Typography, useMediaQuery, type Theme } from '@mui/material';
import { useState, type ReactNode } from 'react';
import {
  BulkDeleteButton,
  Button,
  Datagrid,
  List,
  TopToolbar,
  useListContext,
  useNotify,
  useRefresh,
  useUnselectAll,
} from 'react-admin';
import { Link } from 'react-router-dom';
import type { Screen, Trash } from '../model/screen.js';
import { fieldOf } from './fields.js';
import { useScreens } from './screens.context.js';

/** The trash of some records: they come back from there, or are purged. */
export function TrashList({ screen, trash }: { readonly screen: Screen; readonly trash: Trash }): ReactNode {
  const isSmall = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  return (
    <List
      title={`${screen.label}: trash`}
      sort={screen.order}
      actions={
        <TopToolbar>
          <Button component={Link} {...{ to: `/${screen.name}` }} label={screen.label}>
            <ArrowBackIcon />
          </Button>
        </TopToolbar>
      }
      exporter={false}
      empty={<Typography sx={{ p: 4, textAlign: 'center', width: '100%' }}>The trash is empty.</Typography>}
    >
      <Datagrid rowClick={false} bulkActionButtons={<TrashActions trash={trash} />}>
        {(isSmall ? screen.listed.slice(0, 2) : screen.listed).map(fieldOf)}
      </Datagrid>
    </List>
  );
}

function TrashActions({ trash }: { readonly trash: Trash }): ReactNode {
  return (
    <>
      {trash.canRestore ? <RestoreButton trash={trash} /> : null}
      {trash.canPurge ? <BulkDeleteButton label="Delete for good" mutationMode="pessimistic" /> : null}
    </>
  );
}

/** Brings records back one after the other: each may be refused for a reason of its own. */
function RestoreButton({ trash }: { readonly trash: Trash }): ReactNode {
  const { provider } = useScreens();
  const { selectedIds } = useListContext();
  const [isBusy, setBusy] = useState(false);
  const notify = useNotify();
  const refresh = useRefresh();
  const unselect = useUnselectAll(trash.name);
  const restore = async (): Promise<void> => {
    setBusy(true);
    try {
      for (const id of selectedIds)
        await provider.client.send({
          method: 'POST',
          path: `${trash.name}/${encodeURIComponent(String(id))}/restore`,
        });
      notify(selectedIds.length === 1 ? 'Restored' : `${selectedIds.length} restored`, { type: 'success' });
      unselect();
    } catch (error) {
      notify(error instanceof Error ? error.message : 'It cannot be restored', { type: 'error' });
    } finally {
      setBusy(false);
      refresh();
    }
  };
  return (
    <Button label="Restore" disabled={isBusy} onClick={() => void restore()}>
      <RestoreIcon />
    </Button>
  );
}
