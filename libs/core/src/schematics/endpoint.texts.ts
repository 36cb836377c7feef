import type { EndpointNames } from './endpoint.names.js';
import type { EntityColumns } from './entity.columns.js';

/** An entity to begin with. */
export function entityText({ class: name }: EndpointNames): string {
  return `import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

export const ${name} = defineEntity({
  name: '${name}',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(200),
  },
});

export type ${name} = InferEntity<typeof ${name}>;
`;
}

/** The endpoints over an entity. */
export function endpointsText(
  { class: name, variable, url }: EndpointNames,
  { primaryKey, others, writeable }: EntityColumns,
  entityFile: string,
): string {
  const [first = primaryKey] = others;
  return `import { RestfulApi } from '@nest-endpoints/core';
import { ${name} } from '${entityFile}';

export const ${variable}Endpoints = [
  new RestfulApi({
    url: '${url}',
    modelClass: ${name},
    readableColumnNames: ${listed([primaryKey, ...others])},
    writeableColumnNames: ${listed(writeable)},
    sortableColumnNames: ${listed([primaryKey, ...others])},
    searchableColumnNames: ${listed([primaryKey, ...others])},
    defaultSortColumnName: '${first}',
  }),
];
`;
}

/** The module of an entity and its endpoints. */
export function moduleText(
  { class: name, variable, file }: EndpointNames,
  entityFile: string,
  ending: string,
): string {
  return `import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { ${variable}Endpoints } from './${file}.endpoints${ending}';
import { ${name} } from '${entityFile}';

@Module({
  imports: [MikroOrmModule.forFeature([${name}]), EndpointsModule.forFeature(${variable}Endpoints)],
})
export class ${name}Module {}
`;
}

function listed(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}
