import { setServerLimits, shutDownOnSignals } from '@nest-endpoints/core';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';

const app = await NestFactory.create<NestExpressApplication>(AppModule);
app.disable('x-powered-by');
setServerLimits(app);
shutDownOnSignals(app);
await app.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
