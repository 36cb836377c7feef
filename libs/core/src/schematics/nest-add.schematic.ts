import type { Rule } from '@angular-devkit/schematics';
import { ProjectFiles } from './project.files.js';
import { withAddition } from './root.module.js';

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

const endpoints = {
  importLines: ["import { EndpointsModule } from '@nest-endpoints/core';"],
  entry: "EndpointsModule.forRoot({ internalCasing: 'camelCase', externalCasing: 'snake_case' })",
};

/** PGlite needs no server; its tables are made when the application starts and gone when it ends. */
const database = {
  importLines: [
    "import { MikroOrmModule } from '@mikro-orm/nestjs';",
    "import { PgliteDriver } from '@mikro-orm/pglite';",
  ],
  entry:
    "MikroOrmModule.forRoot({ driver: PgliteDriver, dbName: 'memory://', autoLoadEntities: true, ensureDatabase: { create: true } })",
};

/** Adds EndpointsModule to the root module; and a database to try it on, where the application has no MikroORM. */
export function nestAdd({ sourceRoot = 'src' }: NestAddOptions): Rule {
  return (tree, { logger, addTask }) => {
    const files = new ProjectFiles(tree);
    const path = `${sourceRoot}/app.module.ts`;
    const text = files.text(path);
    if (text === undefined) {
      logger.warn(`There is no ${path}. Add to the imports of your root module: ${endpoints.entry}`);
      return tree;
    }
    const hasMikroOrm = text.includes('MikroOrmModule');
    const withDatabase = hasMikroOrm ? text : withAddition(text, database);
    files.overwrite(
      path,
      /\bEndpointsModule\b/.test(text) ? withDatabase : withAddition(withDatabase, endpoints),
    );
    if (!hasMikroOrm && files.require('dependencies', mikroOrm)) {
      logger.info('The database is PGlite in memory; name another one in the root module.');
      addTask({
        toConfiguration: () => ({ name: 'node-package', options: { command: 'install', quiet: true } }),
      });
    }
    return tree;
  };
}
