import { posix } from 'node:path';
import type { Rule } from '@angular-devkit/schematics';
import { endpointNamesOf, type EndpointNames } from './endpoint.names.js';
import { endpointsText, entityText, moduleText, namesOfModules } from './endpoint.texts.js';
import { columnsOfEntity } from './entity.columns.js';
import { ProjectFiles } from './project.files.js';
import { withAddition } from './root.module.js';
import { rootSettings } from './root.settings.js';
import { exportedEntity, exportedNames, freeName, importedIn, importLine } from './taken.names.js';
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
    const plain = endpointNamesOf(parts.pop() ?? '');
    const folder = posix.join(sourceRoot, path, ...parts, flat ? '' : plain.file);
    const endpointsFile = `${folder}/${plain.file}.endpoints.ts`;
    const others = files.endingWith(sourceRoot, '.endpoints.ts').filter((one) => one !== endpointsFile);
    const names = { ...plain, url: freeUrl(files, others, parts, plain.url) };
    const found = files.find(sourceRoot, `${names.file}.entity.ts`);
    const entity = found ?? `${folder}/${names.file}.entity.ts`;
    if (found === undefined) files.create(entity, entityText(names));
    const place = {
      exported: exportedEntity(entity, files.text(entity) ?? '', names.class),
      file: importedFrom(folder, entity, ending),
    };
    const keyOf = (parent: string): string => {
      const file = files.find(sourceRoot, `${endpointNamesOf(parent).file}.entity.ts`);
      return file === undefined ? 'id' : columnsOfEntity(files.text(file) ?? '').primaryKey;
    };
    const columns = columnsOfEntity(files.text(entity) ?? '', keyOf);
    files.create(endpointsFile, endpointsText(names, columns, place));
    const rootModule = `${sourceRoot}/app.module.ts`;
    const text = files.text(rootModule);
    const moduleFile = `${folder}/${names.file}.module.ts`;
    const within = parts.map((part) => endpointNamesOf(part).class).join('');
    const moduleNames = [
      `${names.class}Module`,
      `${within}${names.class}Module`,
      `${names.class}EndpointsModule`,
    ] as const;
    const from = importedFrom(sourceRoot, moduleFile, ending);
    const imported = text === undefined ? undefined : importedIn(text, from);
    const own = imported ?? freeName(`${text ?? ''} ${namesOfModules}`, moduleNames);
    files.create(moduleFile, moduleText(names, own, place, ending));
    const exported = moduleIn(files.text(moduleFile) ?? '', names);
    if (exported === undefined)
      throw new Error(`${moduleFile} is there, and is no module of ${names.variable}Endpoints`);
    if (spec && !hasTest(files, names, { rootModule, sourceRoot, suffix: options.specFileSuffix }))
      logger.info(`No e2e test: ${rootModule} does not tell who may ask, and how answers are written.`);
    if (text === undefined)
      logger.warn(`There is no ${rootModule}. Add ${exported} to the imports of your root module.`);
    else if (imported === undefined) {
      const entry = freeName(text, [exported, ...moduleNames]);
      const importLines = [importLine({ exported, local: entry }, from)];
      files.overwrite(rootModule, withAddition(text, { importLines, entry }));
    }
    return tree;
  };
}

/**
 * The url of the endpoints, below that of their folder where others have it: two at one url would stop the start.
 *
 * @throws Error where others have that, too
 */
function freeUrl(
  files: ProjectFiles,
  others: readonly string[],
  parts: readonly string[],
  url: string,
): string {
  const urls = [url, [...parts.map((part) => endpointNamesOf(part).file), url].join('/')];
  const takenBy = (one: string): string | undefined =>
    others.find((path) => new RegExp(`\\burl: ['"\`]/?${one}['"\`]`).test(files.text(path) ?? ''));
  const free = urls.find((one) => takenBy(one) === undefined);
  if (free === undefined) throw new Error(`The url '${url}' is one of ${takenBy(url) ?? ''} already`);
  return free;
}

/** The module of endpoints that a file exports; undefined for another file. */
function moduleIn(text: string, { variable }: EndpointNames): string | undefined {
  if (!text.includes(`${variable}Endpoints`)) return undefined;
  return exportedNames(text).find((name) => name.endsWith('Module'));
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
