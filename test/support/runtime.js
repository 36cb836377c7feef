// Jest loads it outside its own module system, with Node's: hence JavaScript.
import JestRuntime from 'jest-runtime';
import { sep } from 'node:path';

const tests = `${sep}test${sep}`;
const entities = `${tests}support${sep}entities${sep}`;

/** What the files of a worker share: modules by path and by url, and the maps of their sources. */
const shared = { cjs: new Map(), esm: new Map(), maps: new Map() };

/** Whether a module belongs to one file: those that ask Jest for `test` and `expect` do, and get others in each. */
const isOfFile = (module) =>
  module.startsWith('@jest/globals') ||
  (module.includes(tests) && !module.includes(entities) && !module.includes('node_modules'));

/**
 * The runtime of Jest's that loads what is tested, packages and entities once in a worker, and the tests with what supports
 * them for each file. To load them takes half a second, and V8 needs some more until they are fast. MikroORM knows a
 * decorated entity by its file, so that it must not be made twice.
 */
class WorkerRuntime extends JestRuntime {
  constructor(...words) {
    super(...words);
    this.registries.esModuleRegistry = shared.esm;
    this.registries.moduleRegistry = shared.cjs;
  }

  getSourceMaps() {
    for (const [path, map] of super.getSourceMaps()) shared.maps.set(path, map);
    return shared.maps;
  }

  /** Ends with the file's own modules: through this runtime those that stay load others when they first need them. */
  teardown() {
    this.getSourceMaps();
    this.restoreAllMocks();
    this.enterTestCode();
    for (const registry of [shared.cjs, shared.esm])
      for (const module of registry.keys()) if (isOfFile(module)) registry.delete(module);
  }
}

export { WorkerRuntime as default };
