import { MikroOrmModule } from '@mikro-orm/nestjs';
import { ChangeRecord, EndpointsModule } from '@nest-endpoints/core';
import { FileRecord } from '@nest-endpoints/files';
import { Module } from '@nestjs/common';
import { liveClient } from './live.client.endpoints.js';
import { Postcard } from './postcard.entity.js';
import { postcardPictures, postcards } from './postcards.endpoints.js';
import { postcardsPage } from './postcards.page.js';

/** Postcards with pictures, a live list: `/postcards/page` shows it. */
@Module({
  imports: [
    MikroOrmModule.forFeature([Postcard, ChangeRecord, FileRecord]),
    EndpointsModule.forFeature([postcardsPage, ...liveClient, postcardPictures, postcards]),
  ],
})
export class PostcardsModule {}
