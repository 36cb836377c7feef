import {
  Create,
  EndpointsModule,
  endpointsFastifyOptions,
  Get,
  SimpleSearch,
  Update,
} from '@nest-endpoints/core';

const own = ['title', 'code', 'amount', 'score', 'quantity', 'isActive', 'dueOn'];

/** Four endpoints of an entity. */
function endpointsOf(modelClass, index) {
  const url = `things-${index}`;
  const parent = index === 0 ? [] : ['parent.id', 'parent.title'];
  const readable = { modelClass, readableColumnNames: ['id', ...own, 'created', 'updated', ...parent] };
  const writeable = { writeableColumnNames: index === 0 ? own : [...own, 'parentId'] };
  return [
    new SimpleSearch({
      ...readable,
      url,
      requestMethods: ['GET'],
      sortableColumnNames: ['id', 'title', 'amount', ...parent],
      searchableColumnNames: ['title', 'code', 'isActive', ...parent],
      defaultSortColumnName: 'id',
    }),
    new Get({ ...readable, url: `${url}/:id` }),
    new Create({ ...readable, ...writeable, url }),
    new Update({ ...readable, ...writeable, url: `${url}/:id` }),
  ];
}

/** What the second application has besides: four endpoints for every entity. */
export const manyEndpoints = (entities) => ({
  imports: [EndpointsModule.forRoot(), EndpointsModule.forFeature(entities.flatMap(endpointsOf))],
  fastifyOptions: endpointsFastifyOptions(),
});
