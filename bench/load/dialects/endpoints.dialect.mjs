import { get, patch, post, remove } from '../request.text.mjs';

const search = (where, column, direction) =>
  post('/users/search', { where, sort: [{ column, direction }], limit: 50 });

/** This library's requests; what is written by hand answers the same ones. */
export const endpoints = {
  requests: {
    get: ({ id }) => get(`/users/${id}`),
    missing: ({ id }) => get(`/users/${id}`),
    unique: ({ email }) => get(`/users?email=${email}`),
    invalid: ({ body }) => post('/users', body),
    create: ({ body }) => post('/users', body),
    update: ({ id, body }) => patch(`/users/${id}`, body),
    create100: (body) => post('/users/bulk', body),
    update100: (body) => patch('/users/bulk', body),
    delete: ({ id }) => remove(`/users/${id}`),
    list1k: () => get('/staff'),
    list: () => get('/users'),
    offset: ({ start }) => get(`/users?sort=age&start=${start}`),
    keyset: (_values, cursor) => get(`/users/pages?sort=age&after=${cursor}`),
    range: ({ least }) =>
      search(
        [
          { column: 'score', operator: '>=', value: least },
          { column: 'score', operator: '<', value: least + 1 },
        ],
        'created_at',
        'desc',
      ),
    related: ({ city }) => get(`/users?company.city=${city.replace(' ', '%20')}&sort=company.name`),
    search: ({ lastName, least, most, notCity }) =>
      search(
        [
          { column: 'last_name', operator: '=', value: lastName },
          { column: 'age', operator: '>=', value: least },
          { column: 'age', operator: '<=', value: most },
          { column: 'is_active', operator: '=', value: true },
          { column: 'company.city', operator: '!=', value: notCity },
        ],
        'created_at',
        'desc',
      ),
  },
  /** The page before the deep one, and what it says of the next. */
  previous: ({ start }) => get(`/users/pages?sort=age&start=${start - 50}`),
  cursor: ({ pagination }) => encodeURIComponent(pagination.next_page.after),
  records: ({ data }) => data,
  total: ({ pagination }) => pagination.number_results,
};

/** Cursors by hand are those of MikroORM: the values of the last record, in base64url. */
export const byHand = {
  ...endpoints,
  previous: ({ start }) => get(`/users?sort=age&start=${start - 50}`),
  cursor: ({ data }) => {
    const { age, id } = data.at(-1);
    return Buffer.from(JSON.stringify([age, id])).toString('base64url');
  },
};
