import type { Type } from '@nestjs/common';
import { Compilation } from '../endpoint/compilation.js';
import type { EndpointOrGroup } from '../endpoint/endpoint.group.js';
import { RouteTree, type RouteLeaf } from '../routing/route.tree.js';
import { settingsOf, type RootOptions } from '../endpoint/settings.js';
import type { CursorCodec } from '../query/cursor.codec.js';
import { EndpointAccess } from '../endpoint/endpoint.access.js';
import type { EndpointRequest } from '../endpoint/endpoint.request.js';
import type { Providers } from '../endpoint/injection.js';
import { RowLevelSecurity } from '../endpoint/row.level.security.js';
import { Session } from '../records/session.js';
import type { Viewer } from '../records/viewer.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { poolFor, type Storage } from '../endpoint/storage.js';
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
    storage: Storage | undefined,
    providers: Providers,
  ): CompiledFeature {
    const setting: Setting = {
      options,
      cursors,
      storage,
      providers,
      rowLevelSecurity: rowLevelSecurityOf(options, storage),
    };
    const endpoints = this.tree.leaves.map((leaf) => compiled(leaf, setting));
    const { moduleClass, tree, controllers } = this;
    const database = storage?.database;
    return { moduleClass, tree, controllers, endpoints, database, open: () => sessionOn(setting) };
  }
}

/** What all endpoints of a feature are compiled with. */
interface Setting {
  readonly options: RootOptions;
  readonly cursors: CursorCodec;
  readonly storage: Storage | undefined;
  readonly providers: Providers;
  readonly rowLevelSecurity: RowLevelSecurity | undefined;
}

function compiled(leaf: RouteLeaf, setting: Setting): CompiledEndpoint {
  const { options, cursors, storage, providers, rowLevelSecurity } = setting;
  const { endpoint, groups, pattern } = leaf;
  const owner = `${endpoint.kind} '${pattern.text}'`;
  const missing = endpoint.requiredOptions.find((name) => Reflect.get(endpoint.options, name) === undefined);
  if (missing !== undefined) throw new ConfigurationError(owner, missing, 'is required');
  refuseOtherThanNames(owner, endpoint.options);
  const settings = settingsOf(owner, [options, ...groups.map((group) => group.options), endpoint.options]);
  const access = new EndpointAccess(owner, settings, providers, rowLevelSecurity, () => sessionOn(setting));
  const { records } = access;
  const compilation = new Compilation(
    owner,
    pattern,
    settings,
    options,
    cursors,
    storage,
    providers,
    records,
  );
  const style = new AnswerStyle(owner, settings);
  const inner = endpoint.compile(compilation);
  const { columnUses, way, entity } = compilation;
  const handler = rowLevelSecurity?.around(inner) ?? inner;
  const open = (request: EndpointRequest): Session => sessionOn(setting, access.viewerOf(request, entity));
  return { leaf, style, handler, way, columnUses, access, open };
}

/** From JavaScript anything may come where a list of names is due. */
function refuseOtherThanNames(owner: string, options: object): void {
  for (const [option, value] of Object.entries(options)) {
    if (!option.endsWith('ColumnNames') || value === undefined) continue;
    const isList = Array.isArray(value) && value.every((name) => typeof name === 'string');
    if (!isList) throw new ConfigurationError(owner, option, 'must be a list of column names');
  }
}

function sessionOn({ options, storage }: Setting, viewer?: Viewer): Session {
  if (storage === undefined) throw new Error('There is no MikroORM in this application to ask');
  return new Session(storage.database, poolFor(storage.database, options), viewer);
}

function rowLevelSecurityOf(
  { rowLevelSecurity }: RootOptions,
  storage: Storage | undefined,
): RowLevelSecurity | undefined {
  if (rowLevelSecurity === undefined || storage === undefined) return undefined;
  return new RowLevelSecurity(rowLevelSecurity, storage.database);
}
