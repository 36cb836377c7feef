import { MikroOrmModule } from '@mikro-orm/nestjs';
import { ChangeRecord, EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { liveClient } from './live.client.endpoints.js';
import { Postcard } from './postcard.entity.js';
import { postcards } from './postcards.endpoints.js';
import { postcardsPage } from './postcards.page.js';

/** Postcards, a live list: `/postcards/page` shows it. */
@Module({
  imports: [
    MikroOrmModule.forFeature([Postcard, ChangeRecord]),
    EndpointsModule.forFeature([postcardsPage, ...liveClient, postcards]),
  ],
})
export class PostcardsModule {}
