/**
 * The part of the page's script that folds what few look for.
 *
 * - Answers that are refusals stand behind a line that opens.
 * - An operation that asks what another one at its path asks (`x-same-as`), as a search by POST beside the one by GET, is no
 *   entry of its own: it stands below the other one once that is open.
 */
export const folding = `
const isRefusal = (status) => status === 'default' || Number(status) >= 400;

const foldedRefusals = (Original, { React }) => (props) => {
  const { responses } = props;
  const successes = responses.filterNot((_, status) => isRefusal(status));
  const refusals = responses.filter((_, status) => isRefusal(status));
  if (successes.size === 0 || refusals.size === 0) return React.createElement(Original, props);
  const summary = 'Refusals: ' + refusals.keySeq().join(', ');
  return React.createElement(
    React.Fragment,
    null,
    React.createElement(Original, { ...props, responses: successes }),
    React.createElement(
      'details',
      { className: 'refusals' },
      React.createElement('summary', null, summary),
      React.createElement(Original, { ...props, responses: refusals, tryItOutResponse: undefined }),
    ),
  );
};

const sameAs = (operation) => operation.getIn(['operation', 'x-same-as']);

const withoutTwins = (original) => () =>
  original().map((tag) => tag.update('operations', (all) => all.filterNot(sameAs)));

const besideTwins = (Original, { React, getComponent, specSelectors }) => (props) => {
  const { isShown, operation, specPath } = props;
  const [tag, path, method] = ['tag', 'path', 'method'].map((key) => operation.get(key));
  const isTwin = (other) => other.get('path') === path && sameAs(other) === method;
  const twins = isShown ? specSelectors.operations().filter(isTwin).toArray() : [];
  if (twins.length === 0) return React.createElement(Original, props);
  const Operation = getComponent('OperationContainer', true);
  const shown = twins.map((twin) => {
    const own = { op: twin, method: twin.get('method'), specPath: specPath.set(-1, twin.get('method')) };
    return React.createElement(Operation, { key: own.method, tag, path, ...own });
  });
  return React.createElement(
    React.Fragment,
    null,
    React.createElement(Original, props),
    React.createElement('div', { className: 'twins' }, 'The same by another method', shown),
  );
};
`;
