import { EndpointGroup, EndpointsModule } from '@nest-endpoints/core';
import { Mcp } from '@nest-endpoints/mcp';
import { Module, type DynamicModule } from '@nestjs/common';
import type { AtlasSettings } from '../atlas.settings.js';

/** The reads of the whole service at `/mcp`, for agents. Those of `/my/trips` need a token of whoever they work for. */
@Module({})
export class AgentsModule {
  static forRoot({ agents: { resource, issuer } }: Pick<AtlasSettings, 'agents'>): DynamicModule {
    return {
      module: AgentsModule,
      imports: [
        EndpointsModule.forFeature([
          new EndpointGroup({
            endpoints: [
              new Mcp({
                url: 'mcp',
                name: 'atlas',
                wholeApplication: true,
                instructions: 'The countries and cities of the world, and trips to them.',
                resource,
                authorizationServers: issuer === undefined ? [] : [issuer],
              }),
            ],
          }),
        ]),
      ],
    };
  }
}
