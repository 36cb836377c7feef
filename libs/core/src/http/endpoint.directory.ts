import { Inject, Injectable, Optional, type Type } from '@nestjs/common';
import type { EndpointGroup } from '../endpoint/endpoint.group.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import { settingsOf, type RootOptions } from '../endpoint/settings.js';
import { AnswerStyle } from './answers/answer.style.js';
import type { CompiledEndpoint } from './compiled.endpoint.js';
import type { MountedFeature } from './route.mounts.js';
import { rootOptionsToken } from './tokens.js';

/** A `forFeature` call whose endpoints are compiled. */
export interface CompiledFeature extends MountedFeature {
  readonly endpoints: readonly CompiledEndpoint[];
}

/** Every compiled endpoint of the application. */
@Injectable()
export class EndpointDirectory {
  readonly options: RootOptions;
  readonly features: CompiledFeature[] = [];
  readonly #endpoints = new Map<RouteLeaf, CompiledEndpoint>();
  readonly #controllers = new Map<RouteLeaf, Type>();
  readonly #groupStyles = new Map<EndpointGroup | undefined, AnswerStyle>();

  constructor(@Optional() @Inject(rootOptionsToken) options: RootOptions | null) {
    this.options = options ?? {};
  }

  add(feature: CompiledFeature): CompiledFeature {
    this.features.push(feature);
    for (const endpoint of feature.endpoints) this.#endpoints.set(endpoint.leaf, endpoint);
    for (const [leaf, controller] of feature.controllers) this.#controllers.set(leaf, controller);
    return feature;
  }

  /** Whether Nest called the controller of the endpoint that the route table chose. */
  isControllerOf(controller: Type, leaf: RouteLeaf): boolean {
    return this.#controllers.get(leaf) === controller;
  }

  endpointAt(leaf: RouteLeaf): CompiledEndpoint {
    const endpoint = this.#endpoints.get(leaf);
    if (endpoint === undefined) throw new Error(`${leaf.endpoint.owner} was routed before it was compiled`);
    return endpoint;
  }

  /** The style of answers that no endpoint gives: those of the innermost group, or of the application. */
  styleOf(groups: readonly EndpointGroup[]): AnswerStyle {
    const innermost = groups.at(-1);
    const known = this.#groupStyles.get(innermost);
    if (known !== undefined) return known;
    const layers = [this.options, ...groups.map(({ options }) => options)];
    const owner =
      innermost === undefined ? 'EndpointsModule.forRoot' : `group '${innermost.pattern.toString()}'`;
    const style = new AnswerStyle(owner, settingsOf(owner, layers));
    this.#groupStyles.set(innermost, style);
    return style;
  }
}
