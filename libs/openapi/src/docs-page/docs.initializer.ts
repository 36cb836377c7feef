/**
 * The script that starts Swagger UI. Everything is found from where the script itself was loaded from.
 *
 * - Answers that are refusals stand behind a line that opens.
 * - The fragment of a link is a tag, or a tag and an operation. A tag may hold slashes: Swagger UI would take what
 *   stands behind the first one for an operation.
 */
export const initializer = `const here = document.currentScript.src;

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

// Before the document is there, the last part is taken for an operation.
const linkedTags = (original, { specSelectors }) => (_, parts) => {
  const whole = parts.join('/');
  if (parts.length < 2 || specSelectors.taggedOperations().has(whole)) return original([whole]);
  return original([parts.slice(0, -1).join('/'), parts.at(-1)]);
};

window.ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: new URL('openapi.json', here).href,
  oauth2RedirectUrl: new URL('oauth2-redirect.html', here).href,
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  onComplete: () => window.ui.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash)),
  plugins: [
    () => ({
      wrapComponents: { responses: foldedRefusals },
      statePlugins: { layout: { wrapSelectors: { isShownKeyFromUrlHashArray: linkedTags } } },
    }),
  ],
});
`;
