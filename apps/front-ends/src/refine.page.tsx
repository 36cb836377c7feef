// Cities and trips in refine, which is headless: the data provider is all that knows the service.
import { endpointsProvider } from '@nest-endpoints/refine';
import { Refine, useForm, useTable, type HttpError } from '@refinedev/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

const dataProvider = endpointsProvider(`${location.origin}/api`);

interface City {
  readonly id: number;
  readonly name: string;
  readonly population: number;
}

interface Trip {
  readonly id: string;
  readonly title: string;
}

const Cities = (): ReactNode => {
  const { result, currentPage, setCurrentPage, setFilters } = useTable<City>({
    resource: 'cities',
    pagination: { pageSize: 5 },
    sorters: { initial: [{ field: 'population', order: 'desc' }] },
    syncWithLocation: false,
  });
  const [name, setName] = useState('');
  const search = (): void =>
    setFilters([
      { field: 'name', operator: 'contains', value: name },
      { field: 'country.region', operator: 'eq', value: 'Europe' },
    ]);
  return (
    <section>
      <input aria-label="Name" value={name} onChange={({ target }) => setName(target.value)} />
      <button onClick={search}>Search in Europe</button>
      <ol>
        {result.data.map(({ id, name: called, population }) => (
          <li key={id}>
            {called}: {population}
          </li>
        ))}
      </ol>
      {result.total} cities, page {currentPage}
      <button onClick={() => setCurrentPage(currentPage + 1)}>Next</button>
    </section>
  );
};

const TripForm = ({ id, onSaved }: { id: string | undefined; onSaved: (id: string) => void }): ReactNode => {
  const { onFinish, mutation, query } = useForm<Trip, HttpError, Partial<Trip>>({
    ...{ resource: 'trips', action: id === undefined ? 'create' : 'edit', redirect: false },
    ...(id === undefined ? {} : { id }),
    onMutationSuccess: ({ data }) => onSaved(data.id),
  });
  const { error } = mutation;
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Partial<Trip>;
    // What is refused stands beside the fields.
    void onFinish(values).catch(() => undefined);
  };
  return (
    <form onSubmit={send} key={query?.data?.data.id}>
      <input name="title" aria-label="title" defaultValue={query?.data?.data.title ?? ''} />
      {id === undefined ? <input name="starts_on" aria-label="starts_on" type="date" /> : null}
      <button>{id === undefined ? 'Create' : 'Change'}</button>
      {Object.entries(error?.errors ?? {}).map(([field, text]) => (
        <em role="alert" key={field}>
          {field}: {typeof text === 'string' ? text : field}
        </em>
      ))}
      <output>{error === null ? (mutation.isSuccess ? 'saved' : '') : error.message}</output>
    </form>
  );
};

const Page = (): ReactNode => {
  const [trip, setTrip] = useState<string>();
  return (
    <main>
      <h1>Cities and trips in refine</h1>
      <Cities />
      <TripForm id={trip} onSaved={setTrip} key={trip ?? 'new'} />
    </main>
  );
};

const options = {
  disableTelemetry: true,
  reactQuery: { clientConfig: { defaultOptions: { queries: { retry: false } } } },
};

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <Refine dataProvider={dataProvider} options={options} resources={[{ name: 'cities' }, { name: 'trips' }]}>
      <Page />
    </Refine>,
  );
