import { Injectable } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { RouteTable } from '../../routing/route.table.js';
import { EndpointDirectory } from '../../http/endpoint.directory.js';
import type { MountedFeature } from '../../http/mounted.feature.js';
import { featurePlace } from './feature.place.js';
import { mountsOf } from './route.mounts.js';
import { Routes } from '../../http/routes.js';

/** Routes as Nest mounts them: below the global prefix, versions and RouterModule's paths. */
@Injectable()
export class MountedRoutes extends Routes {
  #made: { readonly prefix: string; readonly versioning: unknown; readonly table: RouteTable } | undefined;

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
  ) {
    super();
  }

  /** Prefix and versions may be set until routes are registered, so the table is made anew when they were. */
  override get table(): RouteTable {
    const prefix = this.config.getGlobalPrefix();
    const versioning = this.config.getVersioning();
    if (this.#made?.prefix !== prefix || this.#made.versioning !== versioning)
      this.#made = { prefix, versioning, table: this.#makeTable() };
    return this.#made.table;
  }

  /** In the order in which Nest registers routes. */
  #makeTable(): RouteTable {
    const order = [...this.modules.values()].map(({ metatype }) => metatype);
    const features = this.directory.features.toSorted(
      (a, b) => order.indexOf(a.moduleClass) - order.indexOf(b.moduleClass),
    );
    return new RouteTable(
      features.flatMap((feature) => {
        const list = this.#listOf(feature);
        return mountsOf(feature, this.config, this.modules.applicationId).map((mount) => ({
          ...mount,
          list,
        }));
      }),
    );
  }

  /** Names the owner of endpoints: the module that imports them, or whose controllers' methods they are. */
  #listOf(feature: MountedFeature): string | undefined {
    const place = featurePlace(feature, this.modules, this.directory.features);
    if (place === undefined) return undefined;
    if (feature.source === 'controller') return `controllers of ${place.moduleName}`;
    return `${place.number === undefined ? '' : `forFeature ${String(place.number)} `}of ${place.moduleName}`;
  }
}
