import { get, patch, post, remove } from '../request.text.mjs';

const list = (path, parameters) => get(`/${path}?${parameters.join('&').replaceAll(' ', '%20')}`);

/**
 * Lists of nestjs-paginate; it has nothing for single records, which are written by hand over TypeORM. Its cursors are
 * left out: it multiplies an id by 10,000 in the database, which is no integer any more from 214,749 on.
 */
export const paginate = {
  requests: {
    get: ({ id }) => get(`/users/${id}`),
    missing: ({ id }) => get(`/users/${id}`),
    unique: ({ email }) => list('users', [`filter.email=$eq:${email}`]),
    invalid: ({ body }) => post('/users', body),
    create: ({ body }) => post('/users', body),
    update: ({ id, body }) => patch(`/users/${id}`, body),
    delete: ({ id }) => remove(`/users/${id}`),
    list1k: () => get('/staff'),
    list: () => get('/users'),
    offset: ({ start }) => list('users', ['sortBy=age:ASC', 'sortBy=id:ASC', `page=${start / 50 + 1}`]),
    range: ({ least }) =>
      list('users', [
        `filter.score=$gte:${least}`,
        `filter.score=$lt:${least + 1}`,
        'sortBy=created_at:DESC',
        'sortBy=id:ASC',
      ]),
    related: ({ city }) =>
      list('users/related', [`filter.company.city=$eq:${city}`, 'sortBy=company.name:ASC', 'sortBy=id:ASC']),
    search: ({ lastName, least, most, notCity }) =>
      list('users/related', [
        `filter.last_name=$eq:${lastName}`,
        `filter.age=$gte:${least}`,
        `filter.age=$lte:${most}`,
        'filter.is_active=$eq:true',
        `filter.company.city=$not:${notCity}`,
        'sortBy=created_at:DESC',
        'sortBy=id:ASC',
      ]),
  },
  records: (body) => body.data ?? body,
  total: ({ meta }) => meta.totalItems,
};
