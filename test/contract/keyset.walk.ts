import { expect } from '@jest/globals';
import type { Subject } from '../support/contract.js';

/** A page as a client sees it. */
export interface Page {
  readonly status: number;
  readonly body: {
    readonly data: readonly { readonly id: number }[];
    readonly pagination: {
      readonly number_results?: number;
      readonly limit: number;
      readonly next_page: { readonly after?: string };
    };
  };
}

/** Asks for the page that these paging keys name. */
export type Ask = (next: object) => PromiseLike<unknown>;

/**
 * Every page from the first to the last, as next_page says.
 *
 * @param between what happens after each page but the last
 */
export const pages = async (
  ask: Ask,
  between: (page: Page, index: number) => unknown = () => undefined,
): Promise<Page['body'][]> => {
  const bodies: Page['body'][] = [];
  for (let next: object | undefined = {}; next !== undefined;) {
    const page = (await ask(next)) as Page;
    expect(page).toMatchObject({ status: 200, body: { error: '' } });
    bodies.push(page.body);
    if (bodies.length > 10_000) throw new Error('next_page never ends');
    const { next_page: more } = page.body.pagination;
    next = Object.keys(more).length > 0 ? more : undefined;
    if (next !== undefined) await between(page, bodies.length - 1);
  }
  return bodies;
};

/** The ids of every page. */
export const idsOfPages = (bodies: readonly Page['body'][]): number[][] =>
  bodies.map(({ data }) => data.map(({ id }) => id));

/** Asks an AdvancedSearch by POST. */
export const searching =
  ({ request }: Subject, url: string, body: object): Ask =>
  (next) =>
    request()
      .post(url)
      .send({ ...body, ...next });

/** Asks a List or SimpleSearch by its query string. */
export const listing =
  ({ request }: Subject, path: string): Ask =>
  (next) =>
    request()
      .get(path)
      .query(next as Record<string, string>);

/** The cursor of a page. */
export const cursorOf = async (ask: Ask): Promise<string> => {
  const { body } = (await ask({})) as Page;
  const { after } = body.pagination.next_page;
  if (after === undefined) throw new Error('the page is the last one');
  return after;
};

/** Columns with their directions. */
export type Sorts = readonly (readonly [column: string, direction: 'asc' | 'desc'])[];

/** The ids of wares in the order of the sorts, walked in pages of one, two and three, which must all agree. */
export const walked = (subject: Subject, ...sorts: Sorts): Promise<number[]> =>
  walkedAt('/wares', subject, sorts);

/** {@link walked}, at another url. */
const walkedAt = async (url: string, subject: Subject, sorts: Sorts): Promise<number[]> => {
  const sort = sorts.map(([column, direction]) => ({ column, direction }));
  const walks: number[][] = [];
  for (const limit of [1, 2, 3])
    walks.push(idsOfPages(await pages(searching(subject, url, { sort, limit }))).flat());
  const [one = [], ...others] = walks;
  for (const other of others) expect(other).toEqual(one);
  return one;
};

/** {@link walked} at two endpoints: `/shown` shows the columns that it sorts by, `/wares` does not. They must agree. */
export const walkedTwice = async (subject: Subject, ...sorts: Sorts): Promise<number[]> => {
  const ids = await walked(subject, ...sorts);
  expect(await walkedAt('/shown', subject, sorts)).toEqual(ids);
  return ids;
};
