import { AdminPage } from '@nest-endpoints/admin';
import { EndpointGroup, EndpointsModule } from '@nest-endpoints/core';
import { DocsPage, Schema } from '@nest-endpoints/openapi';
import { Module } from '@nestjs/common';

/** What both show: every endpoint of the service, whichever module has it. */
const atlas = {
  wholeApplication: true,
  schemaConfiguration: {
    info: {
      title: 'Atlas',
      version: '1.0.0',
      description: 'The countries and cities of the world, and trips to them.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
  },
} as const;

/** The records of the admin page: those that need no token. */
const screens = [
  { name: 'trips', columns: ['title', 'city_id', 'starts_on', 'ends_on', 'rating', 'shared'] },
  { name: 'stops', columns: ['place', 'trip_id', 'arrives_on'] },
  { name: 'cities', columns: ['name', 'country.name', 'population'] },
  { name: 'countries', columns: ['name', 'code', 'region', 'capital', 'area'] },
];

/**
 * The service's OpenAPI document at `/schema`, a page to read it and to try requests at `/docs`, and one to work with its
 * records at `/admin`.
 */
@Module({
  imports: [
    EndpointsModule.forFeature([
      new EndpointGroup({
        endpoints: [
          new Schema({ url: 'schema', ...atlas }),
          new DocsPage({ url: 'docs', ...atlas }),
          new AdminPage({ url: 'admin', title: 'Atlas', resources: screens }),
        ],
      }),
    ]),
  ],
})
export class DocumentationModule {}
