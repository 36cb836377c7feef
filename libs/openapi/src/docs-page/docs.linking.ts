/**
 * The part of the page's script that opens what a link is about.
 *
 * - The fragment of a link is a tag, or a tag and an operation. A tag may hold slashes: Swagger UI would take what stands
 *   behind the first one for an operation.
 * - A link to an operation that stands below another one opens that one, too.
 * - A link that is followed while the page is open opens its operation, too.
 */
export const linking = `
// Before the document is there, the last part is taken for an operation.
const linkedTags = (original, { specSelectors }) => (_, parts) => {
  const whole = parts.join('/');
  if (parts.length < 2 || specSelectors.taggedOperations().has(whole)) return original([whole]);
  return original([parts.slice(0, -1).join('/'), parts.at(-1)]);
};

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const followLink = ({ layoutActions, layoutSelectors, specSelectors }) => {
  const hash = decoded(location.hash);
  const parts = hash.replace(/^#!?\\/?/, '').split('/');
  const [, tag, id] = layoutSelectors.isShownKeyFromUrlHashArray(parts);
  const all = specSelectors.operations();
  const idOf = (operation) => operation.getIn(['operation', 'operationId']);
  const twin = all.find((operation) => idOf(operation) === id && sameAs(operation));
  const other = all.find(
    (operation) => operation.get('path') === twin?.get('path') && operation.get('method') === sameAs(twin),
  );
  if (other !== undefined) layoutActions.show(['operations', tag, idOf(other)], true);
  layoutActions.parseDeepLinkHash(hash);
  // Of a long list only what is in sight is there.
  if (other !== undefined) layoutActions.scrollToVirtualizedOperation?.(['operations', tag, idOf(other)]);
};
`;
