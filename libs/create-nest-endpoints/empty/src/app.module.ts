import { EndpointsModule, HealthCheck } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { DatabaseModule } from './database.module.js';
import { DevelopmentKeys, login } from './login.js';

@Module({
  imports: [
    DatabaseModule,
    EndpointsModule.forRoot({ externalCasing: 'snake_case', authentication: login }),
    EndpointsModule.forFeature([new HealthCheck({ url: 'health' })]),
  ],
  providers: [DevelopmentKeys],
})
export class AppModule {}
