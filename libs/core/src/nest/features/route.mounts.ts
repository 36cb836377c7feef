import {
  RequestMethod,
  VERSION_NEUTRAL,
  VersioningType,
  type Type,
  type VersioningOptions,
} from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { RoutePattern } from '../../endpoint/route.pattern.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import type { MountedFeature } from '../../http/mounted.feature.js';
import type { RouteMount } from '../../routing/route.table.js';

/** The metadata keys under which Nest keeps RouterModule's paths and `@Version`; neither is exported by name. */
const modulePathKey = '__module_path__';
const versionKey = '__version__';

/**
 * Finds the paths of a feature's endpoints: below the global prefix, their versions (URI versioning only) and
 * RouterModule's path, as Nest puts them together.
 */
export function mountsOf(
  feature: MountedFeature,
  config: ApplicationConfig,
  applicationId: string,
): RouteMount[] {
  const { moduleClass, tree, controllers } = feature;
  const versioning = config.getVersioning();
  const modulePath =
    stringMetadata(modulePathKey + applicationId, moduleClass) ??
    stringMetadata(modulePathKey, moduleClass) ??
    '';
  const versions = new Map(
    tree.leaves.map((leaf) => [leaf, versionPrefixes(controllers.get(leaf), versioning)] as const),
  );
  return [...new Set([...versions.values()].flat())].flatMap((version) => {
    const below = `${version}/${modulePath}`;
    const versioned = tree.only((leaf) => versions.get(leaf)?.includes(version) === true);
    const excluded = (leaf: RouteLeaf): boolean => isExcluded(config, modulePath, leaf);
    return [
      {
        prefix: prefixOf(`${config.getGlobalPrefix()}/${below}`),
        tree: versioned.only((leaf) => !excluded(leaf)),
      },
      { prefix: prefixOf(below), tree: versioned.only(excluded) },
    ].filter(({ tree: mounted }) => mounted.leaves.length > 0);
  });
}

function prefixOf(path: string): RoutePattern {
  return RoutePattern.ofPrefix(path);
}

/** The path segments that URI versioning puts in front of a controller's routes; `['']` for none. */
function versionPrefixes(
  controller: Type | undefined,
  versioning: VersioningOptions | undefined,
): readonly string[] {
  if (controller === undefined || versioning?.type !== VersioningType.URI) return [''];
  const version = declaredVersion(controller) ?? versioning.defaultVersion;
  if (version === undefined) return [''];
  const prefix = versioning.prefix === false ? '' : (versioning.prefix ?? 'v');
  return [version].flat().map((one) => (one === VERSION_NEUTRAL ? '' : `${prefix}${one.toString()}`));
}

/** A version on a handler wins over one on its class. */
export function declaredVersion(controller: Type): VersioningOptions['defaultVersion'] {
  const prototype = controller.prototype as Readonly<Record<string, unknown>>;
  const handlers = Object.getOwnPropertyNames(prototype).map((name) => prototype[name]);
  const versions = handlers
    .filter((handler) => typeof handler === 'function')
    .map((handler) => versionOf(handler));
  return versions.find((version) => version !== undefined) ?? versionOf(controller);
}

function versionOf(target: object): VersioningOptions['defaultVersion'] {
  return Reflect.getMetadata(versionKey, target) as VersioningOptions['defaultVersion'];
}

function isExcluded(
  config: ApplicationConfig,
  modulePath: string,
  { pattern, endpoint }: RouteLeaf,
): boolean {
  const path = `/${prefixOf(modulePath).join(pattern).toString()}`.replace(/^\/+/, '/');
  return (config.getGlobalPrefixOptions().exclude ?? []).some(
    ({ pathRegex, requestMethod }) =>
      pathRegex.test(path) &&
      (requestMethod === RequestMethod.ALL ||
        endpoint.requestMethods.some((method) => RequestMethod[requestMethod] === method)),
  );
}

function stringMetadata(key: string, target: Type): string | undefined {
  const value: unknown = Reflect.getMetadata(key, target);
  return typeof value === 'string' ? value : undefined;
}
