// Trips in react-admin, without its Material design: the data provider is all that knows the service.
import { endpointsProvider } from '@nest-endpoints/react-admin';
import {
  CoreAdmin,
  CreateBase,
  EditBase,
  Form,
  ListBase,
  Resource,
  useDeleteMany,
  useInput,
  useListContext,
  useNotificationContext,
  type RaRecord,
} from 'ra-core';
import { useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

const dataProvider = endpointsProvider(`${location.origin}/api`);

interface Trip extends RaRecord<string> {
  readonly title: string;
  readonly starts_on: string;
  readonly rating: number | null;
}

const Rows = (): ReactNode => {
  const {
    data = [],
    total,
    page,
    perPage,
    setPage,
    setFilters,
    selectedIds,
    onToggleItem,
    onUnselectItems,
  } = useListContext<Trip>();
  const [title, setTitle] = useState('');
  const [deleteMany] = useDeleteMany();
  const remove = (): void =>
    void deleteMany('trips', { ids: selectedIds }, { onSuccess: () => onUnselectItems() });
  return (
    <>
      <p>
        <input aria-label="Title" value={title} onChange={({ target }) => setTitle(target.value)} />
        <button onClick={() => setFilters({ title })}>Search</button>
        <a href="#/trips/create">New trip</a>
        <button disabled={selectedIds.length === 0} onClick={remove}>
          Delete selected
        </button>
      </p>
      <ul>
        {data.map((trip) => (
          <li key={trip.id}>
            <input
              type="checkbox"
              aria-label={`Select ${trip.title}`}
              checked={selectedIds.includes(trip.id)}
              onChange={() => onToggleItem(trip.id)}
            />
            <a href={`#/trips/${encodeURIComponent(trip.id)}`}>{trip.title}</a> {trip.starts_on}
          </li>
        ))}
      </ul>
      <p>
        {total} trips, page {page}
        <button disabled={page * perPage >= (total ?? 0)} onClick={() => setPage(page + 1)}>
          Next
        </button>
      </p>
    </>
  );
};

const Field = ({ source, type = 'text' }: { source: string; type?: string }): ReactNode => {
  const { id, field, fieldState } = useInput({
    source,
    ...(type === 'number' ? { parse: numberOrNull } : {}),
  });
  return (
    <p>
      <label htmlFor={id}>{source}</label>
      <input id={id} type={type} {...field} />
      {fieldState.error === undefined ? null : <em role="alert">{fieldState.error.message}</em>}
    </p>
  );
};

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));

const Fields = (): ReactNode => (
  <Form>
    <Field source="title" />
    <Field source="starts_on" type="date" />
    <Field source="rating" type="number" />
    <button type="submit">Save</button>
  </Form>
);

const Notifications = (): ReactNode => {
  const { notifications } = useNotificationContext();
  return <output>{notifications.map(({ message }) => message)}</output>;
};

const list = (
  <ListBase sort={{ field: 'starts_on', order: 'DESC' }} perPage={5}>
    <Rows />
  </ListBase>
);

const create = (
  <CreateBase redirect="list">
    <Fields />
  </CreateBase>
);

// What is changed is shown at once, and taken back where the service refuses it.
const edit = (
  <EditBase mutationMode="optimistic" redirect="list">
    <Fields />
  </EditBase>
);

const Layout = ({ children }: { children?: ReactNode }): ReactNode => (
  <main>
    <h1>Trips in react-admin</h1>
    {children}
    <Notifications />
  </main>
);

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <CoreAdmin dataProvider={dataProvider} layout={Layout} disableTelemetry>
      <Resource name="trips" list={list} create={create} edit={edit} />
    </CoreAdmin>,
  );
