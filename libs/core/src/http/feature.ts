import type { Type } from '@nestjs/common';
import type { ApiDocumentation } from '../endpoint/api.documentation.js';
import { Compilation } from '../endpoint/compilation.js';
import type { EndpointOrGroup } from '../endpoint/endpoint.group.js';
import { RouteTree, type RouteLeaf } from '../routing/route.tree.js';
import { settingsOf, type RootOptions } from '../endpoint/settings.js';
import type { CursorCodec } from '../query/cursor.codec.js';
import type { RequestEntityManager } from '../records/database.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { Storage } from '../endpoint/storage.js';
import { AnswerStyle } from './answers/answer.style.js';
import type { CompiledEndpoint } from './compiled.endpoint.js';
import { controllerName, endpointController, preflightController } from './controller.factory.js';
import type { CompiledFeature } from './endpoint.directory.js';
import type { MountedFeature } from './route.mounts.js';

/** The endpoints of one `forFeature` call: paths and controllers are fixed when the module is defined. */
export class Feature implements MountedFeature {
  readonly tree: RouteTree;
  readonly controllers: ReadonlyMap<RouteLeaf, Type>;
  readonly preflight: Type;

  constructor(
    readonly moduleClass: Type,
    endpoints: readonly EndpointOrGroup[],
  ) {
    this.tree = RouteTree.of(endpoints);
    const names = new Set<string>();
    this.controllers = new Map(
      this.tree.leaves.map((leaf) => {
        const name = controllerName(leaf, names);
        names.add(name);
        return [leaf, endpointController(leaf, name)] as const;
      }),
    );
    this.preflight = preflightController(this.tree);
  }

  /**
   * Makes every endpoint ready, when the application starts and metadata is complete.
   * @throws ConfigurationError, naming endpoint, option, value and the allowed values
   */
  compile(
    options: RootOptions,
    cursors: CursorCodec,
    documentation: ApiDocumentation,
    storage: Storage | undefined,
  ): CompiledFeature {
    const endpoints = this.tree.leaves.map((leaf) =>
      compiled(leaf, options, cursors, documentation, storage),
    );
    const { moduleClass, tree, controllers } = this;
    const database = storage?.database;
    return { moduleClass, tree, controllers, endpoints, database, fork: () => forkOf(storage) };
  }
}

function compiled(
  leaf: RouteLeaf,
  options: RootOptions,
  cursors: CursorCodec,
  documentation: ApiDocumentation,
  storage: Storage | undefined,
): CompiledEndpoint {
  const { endpoint, groups, pattern } = leaf;
  const owner = `${endpoint.kind} '${pattern.text}'`;
  const missing = endpoint.requiredOptions.find((name) => Reflect.get(endpoint.options, name) === undefined);
  if (missing !== undefined) throw new ConfigurationError(owner, missing, 'is required');
  refuseOtherThanNames(owner, endpoint.options);
  const settings = settingsOf(owner, [options, ...groups.map((group) => group.options), endpoint.options]);
  const compilation = new Compilation(
    owner,
    pattern,
    settings,
    options,
    cursors,
    storage,
    documentation,
    groups,
  );
  const style = new AnswerStyle(owner, settings);
  const handler = endpoint.compile(compilation);
  const { columnUses, way } = compilation;
  const describe = (): ReturnType<typeof endpoint.describe> => endpoint.describe(compilation);
  return { leaf, style, handler, describe, way, columnUses, fork: () => forkOf(storage) };
}

/** From JavaScript anything may come where a list of names is due. */
function refuseOtherThanNames(owner: string, options: object): void {
  for (const [option, value] of Object.entries(options)) {
    if (!option.endsWith('ColumnNames') || value === undefined) continue;
    const isList = Array.isArray(value) && value.every((name) => typeof name === 'string');
    if (!isList) throw new ConfigurationError(owner, option, 'must be a list of column names');
  }
}

function forkOf(storage: Storage | undefined): RequestEntityManager {
  if (storage !== undefined) return storage.database.fork();
  throw new Error('There is no MikroORM in this application to ask');
}
