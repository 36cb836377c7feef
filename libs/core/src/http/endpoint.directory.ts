import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Limit } from '../access/limits/limit.js';
import type { EndpointGroup } from '../endpoint/endpoint.group.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import { checkRootOptions } from '../endpoint/options/root.checks.js';
import { settingsOf, type RootOptions } from '../endpoint/options/settings.js';
import { secretList } from '../wire/secret.list.js';
import { CursorCodec } from '../query/cursor.codec.js';
import type { Database } from '../database/database.js';
import type { Session } from '../visibility/session.js';
import type { PathOf } from '../endpoint/versions/deprecation.js';
import { AnswerStyle } from './answers/answer.style.js';
import type { CompiledEndpoint } from './compiled.endpoint.js';
import type { MountedFeature } from './mounted.feature.js';
import { rootOptionsToken } from './tokens.js';

/** A `forFeature` call whose endpoints are compiled. */
export interface CompiledFeature extends MountedFeature {
  readonly endpoints: readonly CompiledEndpoint[];
  /** Undefined in an application without MikroORM. */
  readonly database: Database | undefined;
  /** A session of nobody on the feature's database, in MikroORM's own schema where none is given. */
  readonly open: (schema?: string) => Session;
}

/** Groups from the outermost in, as a route tree has them: every place of a group is a chain of its own. */
type GroupChain = readonly EndpointGroup[];

/** Fallback of a chain of groups: how requests are answered that end there. */
export interface Fallback {
  readonly style: AnswerStyle;
  readonly open: () => Session;
}

/** Every compiled endpoint of the application. */
@Injectable()
export class EndpointDirectory {
  readonly options: RootOptions;
  /** The secrets of all processes of the service; undefined where there are none. */
  readonly secrets: readonly string[] | undefined;
  readonly cursors: CursorCodec;
  readonly features: CompiledFeature[] = [];
  readonly #endpoints = new Map<RouteLeaf, CompiledEndpoint>();
  /** The endpoints by their leaves of the route trees. */
  readonly endpoints: ReadonlyMap<RouteLeaf, CompiledEndpoint> = this.#endpoints;
  /** Undefined while routes are not known. */
  #pathOf: PathOf | undefined;
  readonly #fallbacks = new Map<GroupChain, Fallback>();

  constructor(@Optional() @Inject(rootOptionsToken) options: RootOptions | null) {
    this.options = options ?? {};
    checkRootOptions(this.options);
    this.secrets = secretList(this.options.cursorSecret);
    this.cursors = new CursorCodec(this.secrets);
  }

  add(feature: CompiledFeature): CompiledFeature {
    this.features.push(feature);
    for (const endpoint of feature.endpoints) this.#endpoints.set(endpoint.leaf, endpoint);
    for (const taker of feature.tree.takers())
      if (!('endpoint' in taker))
        this.#fallbacks.set(
          taker.groups,
          this.#fallbackOf(taker.groups, () => feature.open()),
        );
    return feature;
  }

  /** Has answers lead to endpoints of the application. @throws ConfigurationError for one that has no url */
  link(pathOf: PathOf): void {
    for (const { style } of [...this.#endpoints.values(), ...this.#fallbacks.values()]) style.link(pathOf);
    this.#pathOf = pathOf;
  }

  /** All limits of endpoints, each once. */
  get limits(): readonly Limit[] {
    return [...new Set([...this.#endpoints.values()].flatMap(({ style }) => style.settings.limits))];
  }

  endpointAt(leaf: RouteLeaf): CompiledEndpoint {
    const endpoint = this.#endpoints.get(leaf);
    if (endpoint === undefined) throw new Error(`${leaf.owner} was routed before it was compiled`);
    return endpoint;
  }

  /** Gives what answers requests that end in these groups; below none, as the application has it. */
  fallbackOf(groups: GroupChain): Fallback {
    const known = this.#fallbacks.get(groups);
    if (known !== undefined) return known;
    const fallback = this.#fallbackOf(groups, () => this.#anySession());
    this.#fallbacks.set(groups, fallback);
    return fallback;
  }

  #fallbackOf(groups: GroupChain, open: () => Session): Fallback {
    const layers = [this.options, ...groups.map(({ options }) => options)];
    const style = new AnswerStyle(settingsOf(layers));
    if (this.#pathOf !== undefined) style.link(this.#pathOf);
    return { style, open };
  }

  #anySession(): Session {
    const [feature] = this.features;
    if (feature === undefined) throw new Error('There are no endpoints in this application');
    return feature.open();
  }
}
