import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Database } from '../database/database.js';
import { checkTriggers } from '../database/changes/trigger.check.js';
import { checkSession } from '../database/mysql/session.check.js';
import { checkWriting } from '../database/pool/session.check.js';
import { reachOf } from '../database/reach.problem.js';
import { mayPostpone, postpone } from '../endpoint/request/postponed.work.js';
import { storageOf } from '../endpoint/storage.js';
import { EndpointDirectory } from '../http/endpoint.directory.js';
import { checkPartedTables } from '../records/distributed/parted.tables.js';
import { KnownSchemas } from '../records/schemas/known.schemas.js';
import { checkSearches } from '../records/search.needs.js';
import { Session } from '../visibility/session.js';

/**
 * Looks, before the application serves, for what sessions, searches, the log and kept answers need of the database. Migrations
 * have run by then.
 */
@Injectable()
export class DatabaseCheck implements OnApplicationBootstrap {
  constructor(private readonly directory: EndpointDirectory) {}

  async onApplicationBootstrap(): Promise<void> {
    const databases = new Set(this.directory.features.flatMap(({ database }) => database ?? []));
    for (const database of databases) {
      await checkSearches(database, storageOf(database.orm).models, reachOf(database.orm));
      // Migrations that make them may be left out, too, where documents are all that is asked for.
      const check = async (): Promise<void> => {
        const isReached = reachOf(database.orm);
        await checkSession(database, isReached);
        await checkWriting(database, isReached);
        const warning = await checkTriggers(database, isReached, () => schemasOf(database));
        if (warning !== undefined) new Logger('Endpoints').warn(warning);
        await checkPartedTables(database, isReached);
      };
      if (mayPostpone()) postpone(check);
      else await check();
    }
  }
}

async function schemasOf(database: Database): Promise<readonly string[]> {
  return (await KnownSchemas.of(database)?.all(new Session(database))) ?? [];
}
