import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import type { Type } from '@nestjs/common';
import { UsageError } from '../command-line/usage.error.js';
import type { ApplicationFactory, CliSource } from './application.source.js';

type Exports = Readonly<Record<string, unknown>>;

/**
 * Loads the application of a built file: the result of its `createApplication`, else its `AppModule`, its default export,
 * or the only module it exports.
 * @throws UsageError
 */
export async function loadModule(file: string): Promise<CliSource> {
  const path = resolve(file);
  await access(path).catch((error: unknown) => {
    throw new UsageError(`There is no file '${file}'; the first word is the built module.`, { cause: error });
  });
  const found = (await import(pathToFileURL(path).href)) as Exports;
  const { createApplication } = found;
  if (typeof createApplication === 'function')
    return { createApplication: createApplication as ApplicationFactory };
  const modules = Object.values(found).filter(isModule);
  const named = [found['AppModule'], found['default']].find(isModule);
  const only = new Set(modules).size === 1 ? modules[0] : undefined;
  const module = named ?? only;
  if (module !== undefined) return module;
  const names = Object.keys(found).join(', ') || 'nothing';
  throw new UsageError(`'${file}' exports neither AppModule nor createApplication, but ${names}.`);
}

/** True if a value is a class with Nest's `@Module`. */
function isModule(value: unknown): value is Type {
  if (typeof value !== 'function') return false;
  return Object.values(MODULE_METADATA).some((key) => Reflect.hasOwnMetadata(key, value));
}
