import { get, patch, post, remove } from '../request.text.mjs';

const list = (table, parameters) => get(`/${table}?${parameters.join('&').replaceAll(' ', '%20')}`);

/** The requests of Feathers, as its REST transport has them. It has no cursors, so no keyset pages. */
export const feathers = {
  requests: {
    get: ({ id }) => get(`/users/${id}`),
    missing: ({ id }) => get(`/users/${id}`),
    unique: ({ email }) => list('users', [`email=${email}`]),
    invalid: ({ body }) => post('/users', body),
    create: ({ body }) => post('/users', body),
    update: ({ id, body }) => patch(`/users/${id}`, body),
    delete: ({ id }) => remove(`/users/${id}`),
    list1k: () => list('staff', ['$sort[id]=1']),
    list: () => list('users', ['$sort[id]=1']),
    offset: ({ start }) => list('users', ['$sort[age]=1', '$sort[id]=1', `$skip=${start}`]),
    range: ({ least }) =>
      list('users', [
        `score[$gte]=${least}`,
        `score[$lt]=${least + 1}`,
        '$sort[created_at]=-1',
        '$sort[id]=1',
      ]),
    related: ({ city }) =>
      list('users', [`companies.city=${city}`, '$sort[companies.name]=1', '$sort[users.id]=1']),
    search: ({ lastName, least, most, notCity }) =>
      list('users', [
        `last_name=${lastName}`,
        `age[$gte]=${least}`,
        `age[$lte]=${most}`,
        'is_active=true',
        `companies.city[$ne]=${notCity}`,
        '$sort[created_at]=-1',
        '$sort[users.id]=1',
      ]),
  },
  records: (body) => body.data ?? body,
  total: ({ total }) => total,
};

/** Services in a loop answer the requests for many of this library. */
export const feathersLoop = {
  ...feathers,
  requests: {
    get: feathers.requests.get,
    create: feathers.requests.create,
    update: feathers.requests.update,
    create100: (body) => post('/users/bulk', body),
    update100: (body) => patch('/users/bulk', body),
  },
};
