import type { Handler } from '../../endpoint/compiled.kind.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointAccess } from '../../endpoint/endpoint.access.js';
import type { ParentCheck } from '../../endpoint/parent.check.js';
import { RawReply } from '../../endpoint/reply.js';
import { unknownSender } from '../../endpoint/request/sender.js';
import type { RowLevelSecurity } from '../../endpoint/row.level.security.js';

/** The checks that stand in front of a representation, which is answered outside of the stages that have them. */
interface LookedAt {
  readonly parents: ParentCheck | undefined;
  readonly rowLevelSecurity: RowLevelSecurity | undefined;
}

/** Answers nothing: what stands in front of it is all that is asked. */
const nothing: Handler = () => Promise.resolve(new RawReply('', ''));

/**
 * Looks at everything that stands in front of a representation: before it is answered, and whenever its request is judged again.
 * Undefined where there is nothing.
 */
export function lookedAt({ parents, rowLevelSecurity }: LookedAt): Handler | undefined {
  const looked = parents?.around(nothing);
  return looked && (rowLevelSecurity?.around(looked) ?? looked);
}

/** The checks of an endpoint that a request passes before it is answered. */
interface Checks {
  readonly access: EndpointAccess;
  /** See {@link lookedAt}. */
  readonly looked: Handler | undefined;
}

/**
 * Makes what judges requests of an endpoint as if they were sent again now: who sent them, whether they may use the endpoint, and whether
 * what stands in front of it is there.
 *
 * @param checksOf gives the checks, once all of them are made
 */
export function judgedBy(checksOf: () => Checks): KindContext['judgedAgain'] {
  return async (request, cancellation) => {
    const { access, looked } = checksOf();
    const sender = { ...unknownSender };
    const again = request.again(sender);
    cancellation.whenCancelled((reason) => {
      again.cancellation.cancel(reason);
    });
    await access.authenticate(again, sender);
    await access.authorize(again);
    await looked?.(again);
    return again;
  };
}
