// A program of the user's own around the same application.
import { runCli } from '@nest-endpoints/cli';
import { AppModule } from './library.module.ts';

await runCli(AppModule, process.argv, {
  name: 'library',
  configure: (app) => {
    app.setGlobalPrefix('v1');
  },
});
