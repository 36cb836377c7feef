import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { commentEndpoints } from './comment.endpoints.js';
import { Comment } from './comment.entity.js';

@Module({
  imports: [MikroOrmModule.forFeature([Comment]), EndpointsModule.forFeature(commentEndpoints)],
})
export class CommentModule {}
