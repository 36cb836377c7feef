import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { teamEndpoints } from './team.endpoints.js';
import { Team } from './team.entity.js';

@Module({
  imports: [MikroOrmModule.forFeature([Team]), EndpointsModule.forFeature(teamEndpoints)],
})
export class TeamModule {}
