import type { EndpointNames } from './endpoint.names.js';
import type { EntityColumns } from './entity.columns.js';
import { freeName, importLine } from './taken.names.js';

/** An entity in its file. */
export interface EntityPlace {
  /** The name that the file exports. */
  readonly exported: string;
  /** The path of the file, as an import names it. */
  readonly file: string;
}

/** An entity to begin with. */
export function entityText({ class: name }: EndpointNames): string {
  const infer = freeName(name, ['InferEntity', 'Infer']);
  const imported = infer === 'InferEntity' ? infer : `InferEntity as ${infer}`;
  return `import { defineEntity, p, type ${imported} } from '@mikro-orm/core';

export const ${name} = defineEntity({
  name: '${name}',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(200),
  },
});

export type ${name} = ${infer}<typeof ${name}>;
`;
}

/** The endpoints over an entity. */
export function endpointsText(
  { variable, url }: EndpointNames,
  { primaryKey, others, writeable }: EntityColumns,
  entity: EntityPlace,
): string {
  const [first = primaryKey] = others;
  const local = localName(entity, 'RestfulApi');
  return `import { RestfulApi } from '@nest-endpoints/core';
${importLine({ exported: entity.exported, local }, entity.file)}

export const ${variable}Endpoints = [
  new RestfulApi({
    url: '${url}',
    modelClass: ${local},
    readableColumnNames: ${listed([primaryKey, ...others])},
    writeableColumnNames: ${listed(writeable)},
    sortableColumnNames: ${listed([primaryKey, ...others])},
    searchableColumnNames: ${listed([primaryKey, ...others])},
    defaultSortColumnName: '${first}',
  }),
];
`;
}

/** The names that the file of a module has besides. */
export const namesOfModules = 'MikroOrmModule EndpointsModule Module';

/** The module of an entity and its endpoints. */
export function moduleText(
  { variable, file }: EndpointNames,
  moduleClass: string,
  entity: EntityPlace,
  ending: string,
): string {
  const local = localName(entity, `${namesOfModules} ${moduleClass}`);
  return `import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { ${variable}Endpoints } from './${file}.endpoints${ending}';
${importLine({ exported: entity.exported, local }, entity.file)}

@Module({
  imports: [MikroOrmModule.forFeature([${local}]), EndpointsModule.forFeature(${variable}Endpoints)],
})
export class ${moduleClass} {}
`;
}

function localName({ exported }: EntityPlace, taken: string): string {
  return freeName(taken, [exported, `${exported}Entity`]);
}

function listed(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}
