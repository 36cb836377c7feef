import 'reflect-metadata';
import { MikroORM } from '@mikro-orm/core';
import { NestFactory } from '@nestjs/core';
import { LibraryModule } from './library.module.js';

const app = await NestFactory.create(LibraryModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
await app.get(MikroORM).schema.create();
await app.listen(0, '127.0.0.1');
console.log(`listening on ${await app.getUrl()}`);
