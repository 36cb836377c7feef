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

/** The service's OpenAPI document at `/schema`, and a page to read it and to try requests at `/docs`. */
@Module({
  imports: [
    EndpointsModule.forFeature([
      new EndpointGroup({
        endpoints: [new Schema({ url: 'schema', ...atlas }), new DocsPage({ url: 'docs', ...atlas })],
      }),
    ]),
  ],
})
export class DocumentationModule {}
