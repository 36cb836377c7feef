import { posix } from 'node:path';
import type { Rule } from '@angular-devkit/schematics';
import { endpointNamesOf, type EndpointNames } from './endpoint.names.js';
import { endpointsText, entityText, moduleText } from './endpoint.texts.js';
import { columnsOfEntity } from './entity.columns.js';
import { ProjectFiles } from './project.files.js';
import { withAddition } from './root.module.js';
import { rootSettings } from './root.settings.js';
import { testText } from './test.texts.js';

/** Options of `nest g -c @nest-endpoints/core endpoint <name>`. */
interface EndpointSchematicOptions {
  readonly name: string;
  readonly path?: string;
  readonly sourceRoot?: string;
  readonly flat?: boolean;
  readonly spec?: boolean;
  readonly specFileSuffix?: string;
}

/** Writes endpoints over an entity, their module and an e2e test. What is there already stays as it is. */
export function endpoint(options: EndpointSchematicOptions): Rule {
  const { sourceRoot = 'src', path = '', flat = false, spec = true } = options;
  return (tree, { logger }) => {
    const files = new ProjectFiles(tree);
    const { ending } = files;
    const parts = options.name.split('/');
    const names = endpointNamesOf(parts.pop() ?? '');
    const folder = posix.join(sourceRoot, path, ...parts, flat ? '' : names.file);
    const found = files.find(sourceRoot, `${names.file}.entity.ts`);
    const entity = found ?? `${folder}/${names.file}.entity.ts`;
    if (found === undefined) files.create(entity, entityText(names));
    const keyOf = (parent: string): string => {
      const file = files.find(sourceRoot, `${endpointNamesOf(parent).file}.entity.ts`);
      return file === undefined ? 'id' : columnsOfEntity(files.text(file) ?? '').primaryKey;
    };
    const columns = columnsOfEntity(files.text(entity) ?? '', keyOf);
    const entityFile = importedFrom(folder, entity, ending);
    files.create(`${folder}/${names.file}.endpoints.ts`, endpointsText(names, columns, entityFile));
    files.create(`${folder}/${names.file}.module.ts`, moduleText(names, entityFile, ending));
    const rootModule = `${sourceRoot}/app.module.ts`;
    const text = files.text(rootModule);
    if (spec && !hasTest(files, names, { rootModule, sourceRoot, suffix: options.specFileSuffix }))
      logger.info(`No e2e test: ${rootModule} does not tell who may ask, and how answers are written.`);
    const entry = `${names.class}Module`;
    const from = importedFrom(sourceRoot, `${folder}/${names.file}.module.ts`, ending);
    const line = `import { ${entry} } from '${from}';`;
    if (text === undefined)
      logger.warn(`There is no ${rootModule}. Add ${entry} to the imports of your root module.`);
    else if (!text.includes(line))
      files.overwrite(rootModule, withAddition(text, { importLines: [line], entry }));
    return tree;
  };
}

/** Writes the test, where it is known what a request will be answered. @returns whether it is */
function hasTest(
  files: ProjectFiles,
  names: EndpointNames,
  at: { readonly rootModule: string; readonly sourceRoot: string; readonly suffix: string | undefined },
): boolean {
  const settings = rootSettings(files.text(at.rootModule) ?? '');
  if (settings === undefined) return false;
  const folder = posix.join(posix.dirname(at.sourceRoot), 'test');
  const text = testText(names, settings, importedFrom(folder, at.rootModule, files.ending), files.ending);
  files.create(`${folder}/${names.file}.e2e-${at.suffix ?? 'spec'}.ts`, text);
  return true;
}

/** Writes how a file of a folder imports another one. */
function importedFrom(folder: string, file: string, ending: string): string {
  const path = posix.relative(folder, file.replace(/\.ts$/, ending));
  return path.startsWith('.') ? path : `./${path}`;
}
