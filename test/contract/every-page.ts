import type { Subject } from '../support/contract.js';

/** All records of a list, read as a client reads them: page after page, as next_page says. */
export const everyPage = async ({ request }: Subject, path: string): Promise<Record<string, unknown>[]> => {
  const records: Record<string, unknown>[] = [];
  for (let next: object = {}, asked = 0; asked === 0 || Object.keys(next).length > 0; asked += 1) {
    if (asked > 10_000) throw new Error('next_page never ends');
    const { body } = await request().get(path).query(next);
    records.push(...(body.data as Record<string, unknown>[]));
    next = body.pagination.next_page as object;
  }
  return records;
};
