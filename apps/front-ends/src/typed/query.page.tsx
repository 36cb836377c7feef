// Trips with TanStack Query: hooks of openapi-react-query over types of the service's document. Those are made when the page is
// checked (test/contract/typed-client.test.ts), so that they are those of the sample as it is.
import { queryKeyOf } from '@nest-endpoints/client';
import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import createClient from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import { useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { paths } from './atlas.schema.js';

const client = createClient<paths>({
  baseUrl: `${location.origin}/api`,
  querySerializer: { array: { style: 'form', explode: false } },
});
const api = createQueryClient(client);
const queryKey = queryKeyOf<paths>();

const Trips = (): ReactNode => {
  const queries = useQueryClient();
  const query = { sort: 'starts_on', direction: 'desc', limit: 3 } as const;
  const pages = api.useInfiniteQuery(
    'get',
    '/trips',
    { params: { query } },
    {
      pageParamName: 'start',
      initialPageParam: 0,
      // The document tells the answers of a success and of refusals apart by their status.
      getNextPageParam: (page) => (page.status === 'success' ? page.pagination.next_page.start : undefined),
    },
  );
  const [title, setTitle] = useState('');
  const create = api.useMutation('post', '/trips', {
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKey('get /trips') }),
  });
  const { error } = create;
  const messages: Readonly<Record<string, string>> =
    error !== null && 'input_errors' in error && error.status === 'input_errors' ? error.input_errors : {};
  const trips = pages.data?.pages.flatMap((page) => (page.status === 'success' ? page.data : [])) ?? [];
  return (
    <main>
      <h1>Trips with TanStack Query</h1>
      <input aria-label="title" value={title} onChange={({ target }) => setTitle(target.value)} />
      <button onClick={() => create.mutate({ body: { title, starts_on: '2099-01-01' } })}>Create</button>
      {Object.entries(messages).map(([column, text]) => (
        <em role="alert" key={column}>
          {text}
        </em>
      ))}
      <ol>
        {trips.map((trip) => (
          <li key={trip.id}>{trip.title}</li>
        ))}
      </ol>
      <button disabled={!pages.hasNextPage} onClick={() => void pages.fetchNextPage()}>
        More
      </button>
    </main>
  );
};

// A misspelt operation and an input that it does not take do not compile.
// @ts-expect-error There are no trps.
queryKey('get /trps');
// @ts-expect-error Trips are not sorted by notes.
queryKey('get /trips', { params: { query: { sort: 'notes' } } });

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <Trips />
    </QueryClientProvider>,
  );
