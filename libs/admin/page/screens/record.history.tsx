import { Box, Chip, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useRecordContext } from 'react-admin';
import type { Screen, ScreenColumn } from '../model/screen.js';
import { columnWords, letters, words } from '../model/words.js';
import { textOf } from './fields.js';
import { useScreens } from './screens.context.js';

interface Change {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly changes: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;
}

/** The changes of a record, the newest first. */
export function RecordHistory({ screen }: { readonly screen: Screen }): ReactNode {
  const record = useRecordContext();
  const { provider } = useScreens();
  const id = record?.id;
  const { data, error } = useQuery({
    queryKey: [screen.name, 'history', id, record],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const path = `${screen.name}/${encodeURIComponent(String(id))}/history`;
      const answer = await provider.client.send({ method: 'GET', path, isRead: true, signal });
      return changesIn(answer.data);
    },
  });
  return (
    <Box component="section" aria-label="History" sx={{ p: 2, borderTop: '1px solid #e3e7ef' }}>
      <Typography variant="h6" component="h2" sx={{ mb: 1 }}>
        History
      </Typography>
      {error === null ? null : (
        <Typography color="text.secondary">It cannot be read: {error.message}</Typography>
      )}
      {data?.length === 0 ? <Typography color="text.secondary">Nothing has changed yet.</Typography> : null}
      <Stack component="ol" sx={{ listStyle: 'none', m: 0, p: 0, gap: 1.5 }}>
        {data?.map((change) => (
          <Entry key={change.id} change={change} screen={screen} />
        ))}
      </Stack>
    </Box>
  );
}

function Entry({ change, screen }: { readonly change: Change; readonly screen: Screen }): ReactNode {
  const columns = [...screen.written, ...screen.shown];
  const column = (name: string): Pick<ScreenColumn, 'sort' | 'label'> =>
    columns.find((one) => one.name === name) ?? { sort: 'text', label: columnWords(name) };
  const changed = Object.entries(change.changes).filter(
    ([name, { before, after }]) => (before ?? null) !== (after ?? null) && name !== 'updated',
  );
  return (
    <Box component="li">
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
        <Chip size="small" label={words(change.operation)} />
        <Typography variant="body2" color="text.secondary">
          {textOf({ sort: 'time' }, change.at)}
        </Typography>
      </Stack>
      {change.operation === 'updated'
        ? changed.map(([name, { before, after }]) => (
            <Typography key={name} variant="body2" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
              {column(name).label}: <s>{textOf(column(name), before)}</s> → {textOf(column(name), after)}
            </Typography>
          ))
        : null}
    </Box>
  );
}

/** The names of an entry are in the casing of the service. */
function changesIn(data: unknown): readonly Change[] {
  if (!Array.isArray(data)) return [];
  return data.map((entry: object) => {
    const found = Object.fromEntries(
      Object.entries(entry).map(([name, value]) => [letters(name), value as unknown]),
    );
    const changes = Object.entries(found['changes'] ?? {}).map(([name, one]) => {
      const values = Object.entries(one as object).map(([word, value]) => [letters(word), value as unknown]);
      return [name, Object.fromEntries(values) as object];
    });
    return {
      ...{ id: String(found['id']), at: String(found['at']), operation: String(found['operation']) },
      changes: Object.fromEntries(changes) as Change['changes'],
    };
  });
}
