const writes = ['flat', 'hooked', 'tasks'].flatMap((url) => [
  ['post', `/${url}`, { id: 9, name: 'a 9', project_id: 2 }],
  ['patch', `/${url}/9`, { name: 'a 10', project_id: 1 }],
  ['patch', `/${url}/9`, { project_id: 7 }],
  ['patch', `/${url}/9`, { name: 'a 3', id: 3 }],
  ['delete', `/${url}/9`, undefined],
]);

const bulk = ['flat', 'hooked'].flatMap((url) => [
  [
    'post',
    `/${url}/bulk`,
    {
      records: [
        { id: 20, name: 'a 20', project_id: 1 },
        { id: 21, name: 'a 21' },
      ],
    },
  ],
  [
    'patch',
    `/${url}/bulk`,
    {
      records: [
        { id: 20, rank: 5 },
        { id: 21, project_id: 2 },
      ],
    },
  ],
  ['delete', `/${url}/bulk`, { ids: [20, 21] }],
]);

/** A request of each kind and option, whose answer is a success unless it is meant to be refused. */
export const partedRequests = [
  ...[
    '/tasks',
    '/tasks?start=1',
    '/tasks?start=2000',
    '/tasks?labels.name=a red',
    '/tasks/1',
    '/grouped',
    '/exported',
    '/flat',
  ].map((path) => ['get', path, undefined]),
  ...[
    '/projects',
    '/projects/1',
    '/projects?tasks.name=x',
    '/projects?tasks.labels.name=a red',
    '/of/1/tasks',
  ].map((path) => ['get', path, undefined]),
  ...['/facets?facets=rank,project.name', '/totals?group_by=project.name', '/totals'].map((path) => [
    'get',
    path,
    undefined,
  ]),
  ...['/search', '/estimated'].flatMap((path) => [
    ['post', path, { where: [{ column: 'project.name', operator: '=', value: 'a house' }] }],
    ['post', path, { where: [{ some: 'labels', all: [{ column: 'name', operator: '=', value: 'a red' }] }] }],
    ['post', path, { sort: [{ column: 'project.name', direction: 'desc' }] }],
  ]),
  ...writes,
  ...bulk,
  ['patch', '/tasks/1', { label_ids: [2] }],
  ['patch', '/tasks/1', { label_ids: [1, 2], before_id: 2 }],
  // The second one is answered by what was kept.
  ['post', '/once', { id: 40, name: 'a 40' }],
  ['post', '/once', { id: 40, name: 'a 40' }],
  ['post', '/of/1/tasks', { id: 30, name: 'a 30' }],
] as readonly (readonly ['get' | 'post' | 'patch' | 'delete', string, object | undefined])[];
