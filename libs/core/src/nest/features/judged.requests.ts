import type { Handler } from '../../endpoint/compiled.kind.js';
import type { EndpointAccess } from '../../endpoint/endpoint.access.js';
import type { ParentCheck } from '../../endpoint/parent.check.js';
import { RawReply } from '../../endpoint/reply.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
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

/**
 * Gives a request as if it were sent again now, once its sender may use the endpoint, and what stands in front of it is there.
 * @throws Refusal
 */
export async function judged(
  request: EndpointRequest,
  access: EndpointAccess,
  looked: Handler | undefined,
): Promise<EndpointRequest> {
  const sender = { ...unknownSender };
  const again = request.again(sender);
  await access.authenticate(again, sender);
  await access.authorize(again);
  await looked?.(again);
  return again;
}
