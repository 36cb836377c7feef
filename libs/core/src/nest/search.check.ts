import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { storageOf } from '../endpoint/storage.js';
import { EndpointDirectory } from '../http/endpoint.directory.js';
import { checkSearches } from '../records/search.needs.js';

/** Looks, before the application serves, for what the searches of columns need. Migrations have run by then. */
@Injectable()
export class SearchCheck implements OnApplicationBootstrap {
  constructor(private readonly directory: EndpointDirectory) {}

  async onApplicationBootstrap(): Promise<void> {
    const databases = new Set(this.directory.features.flatMap(({ database }) => database ?? []));
    for (const database of databases) await checkSearches(database, storageOf(database.orm).models);
  }
}
