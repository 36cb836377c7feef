import { get, patch, post, remove } from '../request.text.mjs';

const list = (table, parameters) =>
  get(`/${table}?${parameters.join('&').replaceAll(' ', '%20').replaceAll('|', '%7C')}`);

/** The requests of @dataui/crud. It has no cursors, so no keyset pages. */
export const crud = {
  requests: {
    get: ({ id }) => get(`/users/${id}`),
    missing: ({ id }) => get(`/users/${id}`),
    unique: ({ email }) => list('users', [`filter=email||$eq||${email}`]),
    invalid: ({ body }) => post('/users', body),
    create: ({ body }) => post('/users', body),
    update: ({ id, body }) => patch(`/users/${id}`, body),
    delete: ({ id }) => remove(`/users/${id}`),
    list1k: () => list('staff', ['sort=id,ASC']),
    list: () => list('users', ['sort=id,ASC']),
    offset: ({ start }) => list('users', ['sort=age,ASC', 'sort=id,ASC', `offset=${start}`]),
    range: ({ least }) =>
      list('users', [
        `filter=score||$gte||${least}`,
        `filter=score||$lt||${least + 1}`,
        'sort=created_at,DESC',
        'sort=id,ASC',
      ]),
    related: ({ city }) =>
      list('users', [
        'join=company',
        `filter=company.city||$eq||${city}`,
        'sort=company.name,ASC',
        'sort=id,ASC',
      ]),
    search: ({ lastName, least, most, notCity }) =>
      list('users', [
        'join=company',
        `filter=last_name||$eq||${lastName}`,
        `filter=age||$gte||${least}`,
        `filter=age||$lte||${most}`,
        'filter=is_active||$eq||true',
        `filter=company.city||$ne||${notCity}`,
        'sort=created_at,DESC',
        'sort=id,ASC',
      ]),
  },
  records: (body) => body.data ?? body,
  total: ({ total }) => total,
};
