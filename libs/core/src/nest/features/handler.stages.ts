import type { EndpointFacts } from '../../endpoint/endpoint.context.js';
import type { ParentCheck } from '../../endpoint/parent.check.js';
import type { ReadYourWrites } from '../../endpoint/read.your.writes.js';
import type { Handler } from '../../endpoint/compiled.kind.js';
import type { Effect } from '../../endpoint/endpoint.js';
import type { RowLevelSecurity } from '../../endpoint/row.level.security.js';
import { notModifiedWhereKnown } from '../../kinds/record/known.answer.js';
import { represented, type Representation } from '../../endpoint/answers/representation.js';
import type { Observation } from '../../http/observation/observation.js';

/** The facts that decide which stages an endpoint's handler needs. All of it is known when the application starts. */
export interface StageNeeds {
  readonly observation: Observation;
  readonly facts: EndpointFacts;
  readonly effect: Effect;
  /** Undefined where clients are promised nothing of what they wrote. */
  readonly readYourWrites: ReadYourWrites | undefined;
  /** Undefined where there is none. */
  readonly rowLevelSecurity: RowLevelSecurity | undefined;
  /** Looks at the parents that the path names; undefined where it names none. */
  readonly parents: ParentCheck | undefined;
  /** Looks at what stands in front of other representations; undefined for nothing. */
  readonly looked: Handler | undefined;
  /** Other representations of the answers. */
  readonly representations: readonly Representation[];
  /** True if the client says with `If-None-Match` which answers it has. */
  readonly isConditional: boolean;
}

/** Puts a stage around a handler; one that has nothing to do leaves it as it is. */
type Stage = (handler: Handler, needs: StageNeeds) => Handler;

/** Stages around the handler of every endpoint, from the outermost in. */
const stages = {
  /** Measures how long it takes, for whoever observes requests. */
  observed: (handler, { observation, facts }) => observation.handler(handler, facts),
  /** Answers with another representation where the client asks for it: in no transaction, because it may last. */
  represented: (handler, { representations, looked }) => represented(handler, representations, looked),
  /** Says in answers to writes what was written, so that the client reads it from replicas. */
  readYourWrites: (handler, { readYourWrites, effect }) => readYourWrites?.around(handler, effect) ?? handler,
  /** Runs everything with the variables and the role of the sender. */
  rowLevelSecurity: (handler, { rowLevelSecurity }) => rowLevelSecurity?.around(handler) ?? handler,
  /** Answers Not Found where the path names a parent that is not there. */
  parents: (handler, { parents }) => parents?.around(handler) ?? handler,
  /** Answers a client that has the answer already with a 304. */
  notModified: (handler, { isConditional }) => (isConditional ? notModifiedWhereKnown(handler) : handler),
} as const satisfies Record<string, Stage>;

/** A handler within all {@link stages} that it needs. */
export function staged(handler: Handler, needs: StageNeeds): Handler {
  return Object.values<Stage>(stages).reduceRight((inner, stage) => stage(inner, needs), handler);
}
