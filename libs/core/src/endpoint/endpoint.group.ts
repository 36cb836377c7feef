import { accessCheck } from '../access/operation.access.check.js';
import {
  operations,
  sidesOf,
  type Access,
  type AccessSides,
  type Operation,
} from '../access/operation.access.js';
import { checkOptions } from '../options/checked.options.js';
import { text } from '../options/checks.js';
import type { ChecksOf, OptionChecks } from '../options/option.check.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { Endpoint } from './endpoint.js';
import type { InheritedOptions } from './options/endpoint.options.js';
import { endpointList } from './options/endpoint.list.check.js';
import { inheritedChecks } from './options/inherited.checks.js';
import { RoutePattern } from './route.pattern.js';

/** An entry of the lists of `forFeature` and of groups. */
export type EndpointOrGroup = Endpoint | EndpointGroup;

export interface EndpointGroupOptions extends InheritedOptions {
  /** A prefix for the members' urls. With one, the group takes every request below it. Default none. */
  readonly url?: string;
  /**
   * The access to operations of members, e.g. `{ create: agents, list: 'public' }`. An authentication stands in place of the
   * group's, an authorization beside it. `public` asks nobody who they are; the rules around it hold all the same. Default none.
   */
  readonly access?: Access;
  /** Tried from top to bottom. */
  readonly endpoints: readonly EndpointOrGroup[];
}

/** A segment of a path that stands for something of the group's own. */
export interface OwnSegment {
  /** The option that names another one. */
  readonly option: string;
  readonly segment: string;
}

/** A list of endpoints that share a url prefix, headers, access rules and casing (decisions: Routing and headers). */
export class EndpointGroup {
  /** The checks of the options. */
  static readonly optionChecks: OptionChecks = {
    url: text,
    access: accessCheck(operations),
    endpoints: endpointList(isEndpointOrGroup),
    ...inheritedChecks,
  } satisfies ChecksOf<EndpointGroupOptions>;

  readonly options: Readonly<InheritedOptions>;
  readonly pattern: RoutePattern;
  readonly endpoints: readonly EndpointOrGroup[];
  readonly #access: Access;

  constructor(options: EndpointGroupOptions) {
    const owner = ownerOf(this.constructor.name, options);
    checkOptions(owner, options, { checks: EndpointGroup.optionChecks });
    const { url = '', endpoints, access = {}, ...inherited } = options;
    if ((endpoints as unknown) === undefined) throw new ConfigurationError(owner, 'endpoints', 'is required');
    this.options = Object.freeze(inherited);
    this.pattern = RoutePattern.parse(owner, url);
    this.endpoints = Object.freeze([...endpoints]);
    this.#access = Object.freeze({ ...access });
  }

  /** The operation of a member, as `access` names it. */
  operationOf(member: Endpoint): Operation {
    return member.operation;
  }

  /** The access to an operation, as far as the group says something of it. */
  accessTo(operation: Operation): AccessSides {
    const access = this.#access[operation];
    return access === undefined ? {} : sidesOf(access);
  }

  /**
   * Names a member in messages about it.
   * @param path the member's whole path
   * @param _ownPath the group's
   */
  memberAt(member: Endpoint, path: string, _ownPath: string): string {
    return member.ownerAt(path);
  }

  /** The last segment of a member's path, where the group has chosen it and nobody named it. */
  ownSegmentOf(_member: Endpoint): OwnSegment | undefined {
    return undefined;
  }

  /** The option of the group that has added a member; undefined where the user did not name one for it. */
  addedBy(_member: Endpoint): string | undefined {
    return undefined;
  }

  /** Names an option of a member as the user wrote it. */
  optionOf(_member: Endpoint, option: string): string {
    return option;
  }
}

/** True if a list of endpoints may have the value. */
export function isEndpointOrGroup(value: unknown): boolean {
  return value instanceof Endpoint || value instanceof EndpointGroup;
}

/** Names a group in messages, whatever stands where its url should. */
export function ownerOf(kind: string, options: unknown): string {
  const { url = '' } = Object(options) as { readonly url?: unknown };
  return `${kind} '${String(url)}'`;
}
