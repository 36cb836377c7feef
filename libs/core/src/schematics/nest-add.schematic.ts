import type { Rule } from '@angular-devkit/schematics';
import { withoutPoweredBy } from './main.file.js';
import { ProjectFiles } from './project.files.js';
import { withAddition, type Addition } from './root.module.js';

/** Options of `nest add @nest-endpoints/core`. */
interface NestAddOptions {
  readonly sourceRoot?: string;
}

/** Exactly these were tried together. */
const mikroOrm = {
  '@mikro-orm/core': '7.2.1',
  '@mikro-orm/nestjs': '7.1.0',
  '@mikro-orm/pglite': '7.2.1',
  '@mikro-orm/sql': '7.2.1',
};

const endpoints: Addition = {
  importLines: ["import { EndpointsModule } from '@nest-endpoints/core';"],
  entry: "EndpointsModule.forRoot({ externalCasing: 'snake_case' })",
};

/** PGlite needs no server; in memory it is gone when the application ends. */
const database = `import { MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import { Module, type OnModuleInit } from '@nestjs/common';

/** A database to try things out on: in memory, its tables made to fit the entities. */
@Module({
  imports: [MikroOrmModule.forRoot({ driver: PgliteDriver, dbName: 'memory://', autoLoadEntities: true })],
})
export class DatabaseModule implements OnModuleInit {
  constructor(private readonly orm: MikroORM) {}

  async onModuleInit(): Promise<void> {
    await this.orm.schema.update();
  }
}
`;

/** Adds EndpointsModule to the root module; and a database to try it on, where the application has no MikroORM. */
export function nestAdd({ sourceRoot = 'src' }: NestAddOptions): Rule {
  return (tree, context) => {
    const files = new ProjectFiles(tree);
    const path = `${sourceRoot}/app.module.ts`;
    const text = files.text(path);
    if (text === undefined) {
      context.logger.warn(`There is no ${path}. Add to the imports of your root module: ${endpoints.entry}`);
      return tree;
    }
    const hasDatabase = /\b(MikroOrmModule|DatabaseModule)\b/.test(text);
    const withDatabase = hasDatabase ? text : withAddition(text, databaseModule(files.ending));
    if (!hasDatabase) files.create(`${sourceRoot}/database.module.ts`, database);
    const isThere = /\bEndpointsModule\b/.test(text);
    files.overwrite(path, isThere ? withDatabase : withAddition(withDatabase, endpoints));
    const main = files.text(`${sourceRoot}/main.ts`);
    if (main !== undefined && files.has('@nestjs/platform-express'))
      files.overwrite(`${sourceRoot}/main.ts`, withoutPoweredBy(main));
    if (!hasDatabase && files.require('dependencies', mikroOrm)) context.addTask(installation);
    return tree;
  };
}

const installation = {
  toConfiguration: () => ({ name: 'node-package', options: { command: 'install', quiet: true } }),
};

function databaseModule(ending: string): Addition {
  return {
    importLines: [`import { DatabaseModule } from './database.module${ending}';`],
    entry: 'DatabaseModule',
  };
}
