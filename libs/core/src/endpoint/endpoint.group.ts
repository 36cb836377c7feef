import { checkOptions } from '../options/checked.options.js';
import { text } from '../options/checks.js';
import type { ChecksOf, OptionChecks } from '../options/option.check.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { Endpoint } from './endpoint.js';
import type { InheritedOptions } from './options/endpoint.options.js';
import { endpointList } from './options/endpoint.list.check.js';
import { inheritedChecks } from './options/inherited.checks.js';
import { RoutePattern } from './route.pattern.js';

/** What `forFeature` and groups list. */
export type EndpointOrGroup = Endpoint | EndpointGroup;

export interface EndpointGroupOptions extends InheritedOptions {
  /** A prefix for the members' urls. With one, the group takes every request below it. Default none. */
  readonly url?: string;
  /** Tried from top to bottom. */
  readonly endpoints: readonly EndpointOrGroup[];
}

/** A list of endpoints that share a url prefix, headers, access rules and casing (decisions: Routing and headers). */
export class EndpointGroup {
  /** What the options may hold. */
  static readonly optionChecks: OptionChecks = {
    url: text,
    endpoints: endpointList(isEndpointOrGroup),
    ...inheritedChecks,
  } satisfies ChecksOf<EndpointGroupOptions>;

  readonly options: Readonly<InheritedOptions>;
  readonly pattern: RoutePattern;
  readonly endpoints: readonly EndpointOrGroup[];

  constructor(options: EndpointGroupOptions) {
    const owner = ownerOf(this.constructor.name, options);
    checkOptions(owner, options, { checks: EndpointGroup.optionChecks });
    const { url = '', endpoints, ...inherited } = options;
    if ((endpoints as unknown) === undefined) throw new ConfigurationError(owner, 'endpoints', 'is required');
    this.options = Object.freeze(inherited);
    this.pattern = RoutePattern.parse(owner, url);
    this.endpoints = Object.freeze([...endpoints]);
  }

  /**
   * How messages call a member, when there is something wrong with it.
   * @param path the member's whole path
   * @param _ownPath the group's
   */
  memberAt(member: Endpoint, path: string, _ownPath: string): string {
    return member.ownerAt(path);
  }

  /** What an option of a member is called where the user wrote it. */
  optionOf(_member: Endpoint, option: string): string {
    return option;
  }
}

/** Whether a list of endpoints may have it. */
export function isEndpointOrGroup(value: unknown): boolean {
  return value instanceof Endpoint || value instanceof EndpointGroup;
}

/** How messages call a group, whatever stands where its url should. */
export function ownerOf(kind: string, options: unknown): string {
  const { url = '' } = Object(options) as { readonly url?: unknown };
  return `${kind} '${String(url)}'`;
}
