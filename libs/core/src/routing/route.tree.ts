import { ConfigurationError } from '../wire/configuration.error.js';
import { EndpointGroup, type EndpointOrGroup } from '../endpoint/endpoint.group.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { RoutePattern, type PathParameters } from '../endpoint/route.pattern.js';

/** An endpoint in its place: the groups around it from the outermost in, and the whole path. */
export interface RouteLeaf {
  /** The name in messages. */
  readonly owner: string;
  readonly endpoint: Endpoint;
  readonly groups: readonly EndpointGroup[];
  readonly pattern: RoutePattern;
}

/** The fate of a request: an endpoint takes it, a group takes it and nobody answers, or it is not ours. */
export type RouteMatch =
  | { readonly kind: 'endpoint'; readonly leaf: RouteLeaf; readonly parameters: PathParameters }
  | { readonly kind: 'miss'; readonly groups: readonly EndpointGroup[]; readonly parameters: PathParameters };

/** A group in its place. */
export interface RouteGroup {
  readonly group: EndpointGroup;
  /** The whole path up to and with the group's own url. */
  readonly pattern: RoutePattern;
  /** The groups around it, itself included. */
  readonly groups: readonly EndpointGroup[];
  readonly members: readonly RouteNode[];
}

type RouteNode = RouteLeaf | RouteGroup;

/** The routes of one list of endpoints: greedy, from top to bottom (contract: What the service does). */
export class RouteTree {
  readonly leaves: readonly RouteLeaf[];

  private constructor(private readonly nodes: readonly RouteNode[]) {
    this.leaves = [...leavesOf(nodes)];
  }

  static of(endpoints: readonly EndpointOrGroup[]): RouteTree {
    return new RouteTree(nodesOf(endpoints, RoutePattern.empty, []));
  }

  /** The outermost members with the number of their endpoints, for the log. A group without a url only holds others. */
  *outermost(): Generator<{ readonly name: string; readonly count: number }> {
    yield* outermostOf(this.nodes);
  }

  /** Leaves and groups in the order in which they take requests: a group follows its members. */
  *takers(): Generator<RouteLeaf | RouteGroup> {
    yield* takersOf(this.nodes);
  }

  /** Gives the tree with only some of its leaves. */
  only(keep: (leaf: RouteLeaf) => boolean): RouteTree {
    return new RouteTree(pruned(this.nodes, keep));
  }
}

function* outermostOf(nodes: readonly RouteNode[]): ReturnType<RouteTree['outermost']> {
  for (const node of nodes)
    if (!('members' in node)) yield { name: node.owner, count: 1 };
    else if (node.group.pattern.segments.length === 0) yield* outermostOf(node.members);
    else {
      const name = `${node.group.constructor.name} '${node.pattern.text}'`;
      yield { name, count: [...leavesOf(node.members)].length };
    }
}

function nodesOf(
  endpoints: readonly EndpointOrGroup[],
  prefix: RoutePattern,
  groups: readonly EndpointGroup[],
): RouteNode[] {
  return endpoints.map((member) => {
    const pattern = prefix.join(member.pattern);
    if (!(member instanceof EndpointGroup)) return leafOf(member, pattern, groups, prefix);
    const around = [...groups, member];
    return { group: member, pattern, groups: around, members: nodesOf(member.endpoints, pattern, around) };
  });
}

function leafOf(
  endpoint: Endpoint,
  pattern: RoutePattern,
  groups: readonly EndpointGroup[],
  prefix: RoutePattern,
): RouteLeaf {
  const innermost = groups.at(-1);
  const owner = innermost?.memberAt(endpoint, pattern.text, prefix.text) ?? endpoint.ownerAt(pattern.text);
  const twice = pattern.parameterNames.find((name, index, names) => names.indexOf(name) !== index);
  if (twice === undefined) return { owner, endpoint, groups, pattern };
  throw new ConfigurationError(
    innermost === undefined ? endpoint.owner : owner,
    'url',
    `the parameter '${twice}' stands twice in ${pattern.toString()}`,
  );
}

function* takersOf(nodes: readonly RouteNode[]): Generator<RouteNode> {
  for (const node of nodes) {
    if ('members' in node) yield* takersOf(node.members);
    yield node;
  }
}

function* leavesOf(nodes: readonly RouteNode[]): Generator<RouteLeaf> {
  for (const node of nodes)
    if ('members' in node) yield* leavesOf(node.members);
    else yield node;
}

function pruned(nodes: readonly RouteNode[], keep: (leaf: RouteLeaf) => boolean): RouteNode[] {
  return nodes.flatMap((node): RouteNode[] => {
    if (!('members' in node)) return keep(node) ? [node] : [];
    const members = pruned(node.members, keep);
    // A group of which nothing is left here takes no requests: one at the same url may stand behind it.
    return members.length === 0 && node.members.length > 0 ? [] : [{ ...node, members }];
  });
}
