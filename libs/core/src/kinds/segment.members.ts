import type { Operation } from '../access/operation.access.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { OwnSegment } from '../endpoint/endpoint.group.js';
import type { HttpMethod } from '../endpoint/http.method.js';
import type { InjectMap } from '../endpoint/request/injection.js';
import { boolean, either, objectWith } from '../options/checks.js';
import type { ChecksOf } from '../options/option.check.js';
import { optionRulesOf } from '../options/option.rules.js';
import { Aggregate, type AggregateOptions } from './read/aggregate.js';
import { Facets, type FacetsOptions } from './read/facets.js';
import { Export, type ExportOptions } from './transfer/export.js';
import { Import, type ImportOptions } from './transfer/import.js';

/** The options of a RestfulApi that add endpoints with a segment of their own behind its url. */
export interface SegmentMemberOptions<
  E extends object,
  I extends InjectMap = InjectMap,
  Entity = E,
  Text = string,
> {
  /**
   * Numbers about groups of records at `<url>/aggregate`: the options of an {@link Aggregate}, beside those of the API. `url`
   * names another segment. Default none.
   */
  readonly aggregate?: Partial<Omit<AggregateOptions<E, Entity, Text>, 'modelClass'>>;
  /** The values of columns at `<url>/facets`: the options of {@link Facets}, beside those of the API. Default none. */
  readonly facets?: Omit<FacetsOptions<E, Entity, Text>, 'modelClass'>;
  /**
   * All records at `<url>/export`, as lines of JSON or CSV: true, or the options of an {@link Export}, beside those of the API.
   * Default none.
   */
  readonly export?: boolean | Partial<Omit<ExportOptions<E, Entity, string, Text>, 'modelClass'>>;
  /**
   * A record of each line of a body at `<url>/import`: true, or the options of an {@link Import}, beside those of the API. `readOnly`
   * drops it. Default none.
   */
  readonly import?: boolean | Partial<Omit<ImportOptions<E, I, Entity, Text>, 'modelClass'>>;
}

/** The checks of the options of all of them. */
export const segmentMemberChecks = {
  aggregate: objectWith(optionRulesOf(Aggregate).checks),
  facets: objectWith(optionRulesOf(Facets).checks, ['facetColumnNames']),
  export: either('true, false, or options of an Export', boolean, objectWith(optionRulesOf(Export).checks)),
  import: either('true, false, or options of an Import', boolean, objectWith(optionRulesOf(Import).checks)),
} as const satisfies ChecksOf<SegmentMemberOptions<object>>;

/** The members, in the order in which they stand. */
const kinds = {
  aggregate: { Kind: Aggregate, method: 'GET', operation: 'list' },
  facets: { Kind: Facets, method: 'GET', operation: 'list' },
  export: { Kind: Export, method: 'GET', operation: 'list' },
  import: { Kind: Import, method: 'POST', operation: 'create' },
} as const satisfies Record<keyof SegmentMemberOptions<object>, unknown>;

type MemberName = keyof typeof kinds;

const memberNames = Object.keys(kinds) as readonly MemberName[];

/** A member, with the options that the user wrote for it. */
interface SegmentMember {
  readonly name: MemberName;
  readonly given: object;
  readonly operation: Operation;
}

/** Options of lists and of bulk writes that mean something else to these. */
const ofOthers: readonly string[] = [
  'count',
  'defaultLimit',
  'maximumLimit',
  'maximumRecords',
  'pagination',
  'summary',
  'description',
];

interface Given extends Readonly<Partial<Record<MemberName, object | boolean | undefined>>> {
  readonly readOnly?: boolean | undefined;
  readonly requestMethods?: readonly HttpMethod[] | undefined;
}

/** The members of a RestfulApi with a segment of their own. They stand before those by id, whose key a segment could be. */
export class SegmentMembers {
  readonly endpoints: ReadonlyMap<Endpoint, SegmentMember>;

  /**
   * @param knownTo picks the options that a kind knows
   * @param shared the options that all members are told
   */
  constructor(options: Given, knownTo: (kind: object, options: object) => object, shared: object) {
    const kept = Object.fromEntries(Object.entries(shared).filter(([name]) => !ofOthers.includes(name)));
    const endpoints = new Map<Endpoint, SegmentMember>();
    for (const name of memberNames) {
      const { method, operation } = kinds[name];
      const wanted = options[name] ?? false;
      const isAsked = options.requestMethods?.includes(method) ?? true;
      const isDropped = options.readOnly === true && operation === 'create';
      if (wanted === false || !isAsked || isDropped) continue;
      const Kind = kinds[name].Kind as new (options: object) => Endpoint;
      const given = wanted === true ? {} : wanted;
      const told = knownTo(Kind, { ...kept, requestMethods: [method], url: name });
      const member = new Kind({ ...told, ...given });
      endpoints.set(member, { name, given, operation: member.operation });
    }
    this.endpoints = endpoints;
  }

  /** The segment of a member that the user did not name. */
  ownSegmentOf(member: Endpoint): OwnSegment | undefined {
    const { name, given = {} } = this.endpoints.get(member) ?? {};
    if (name === undefined || Object.hasOwn(given, 'url')) return undefined;
    return { option: `${name}.url`, segment: name };
  }
}
