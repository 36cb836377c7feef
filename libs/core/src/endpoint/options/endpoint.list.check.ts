import { listOf } from '../../options/checks.js';
import type { OptionCheck } from '../../options/option.check.js';
import { otherCopyOf } from '../../options/other.copy.js';
import { isClass, shown } from '../../options/shown.value.js';

const allowed = 'endpoints and groups, e.g. [new Get({ … })]';

/**
 * The check of a list of endpoints. One that stands twice in it would be asked once.
 * @param isMember whether it is an endpoint or a group of this copy of the package
 */
export function endpointList(isMember: (value: unknown) => boolean): OptionCheck {
  const members = listOf(allowed, {
    allowed,
    complaint: (value) => (isMember(value) ? undefined : `${reasonAgainst(value)}; allowed: ${allowed}`),
  });
  return {
    allowed: members.allowed,
    complaint: (value) => members.complaint(value) ?? repeated(value as readonly unknown[]),
  };
}

function reasonAgainst(value: unknown): string {
  const copy = otherCopyOf(value, ['EndpointGroup', 'Endpoint']);
  if (copy !== undefined) return copy;
  if (isClass(value)) return `${shown(value)} is not allowed: make one of it, new ${value.name}({ … })`;
  if (Array.isArray(value))
    return `${shown(value)} is not allowed: put its members here, ...list, or make a group`;
  if (typeof value === 'function')
    return `${shown(value)} is not allowed: call it, or new Callable({ toCall })`;
  return `${shown(value)} is not allowed`;
}

function repeated(entries: readonly unknown[]): string | undefined {
  const twice = entries.findIndex((entry, index) => entries.indexOf(entry) !== index);
  return twice === -1 ? undefined : `entry ${twice + 1} stands in the list already: it is one and the same`;
}
