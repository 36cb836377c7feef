import { TenantRecords } from '@nest-endpoints/auth';
import { EndpointsModule, HealthCheck } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { CommentModule } from './comment/comment.module.js';
import { DatabaseModule } from './database.module.js';
import { DevelopmentKeys, login } from './login.js';
import { TeamModule } from './team/team.module.js';
import { TicketModule } from './ticket/ticket.module.js';

@Module({
  imports: [
    DatabaseModule,
    EndpointsModule.forRoot({
      externalCasing: 'snake_case',
      authentication: login,
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant', everyModelHasTenant: true }),
    }),
    EndpointsModule.forFeature([new HealthCheck({ url: 'health' })]),
    CommentModule,
    TeamModule,
    TicketModule,
  ],
  providers: [DevelopmentKeys],
})
export class AppModule {}
