import { folding } from './docs.folding.js';
import { linking } from './docs.linking.js';

/** The script that starts Swagger UI. Everything is found from where the script itself was loaded from. */
export const initializer = `const here = document.currentScript.src;
${folding}${linking}
// Leaves the operations that are looked for: by tag, path or what is said of them.
const matching = (tags, phrase) => {
  const wanted = phrase.trim().toLowerCase();
  const isWanted = (text) => String(text ?? '').toLowerCase().includes(wanted);
  const isFound = (operation) =>
    [['path'], ['operation', 'summary'], ['operation', 'description']].some((place) =>
      isWanted(operation.getIn(place)),
    );
  return tags
    .map((tag, name) => (isWanted(name) ? tag : tag.update('operations', (all) => all.filter(isFound))))
    .filter((tag) => tag.get('operations').size > 0);
};

window.ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: new URL('openapi.json', here).href,
  oauth2RedirectUrl: new URL('oauth2-redirect.html', here).href,
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  defaultModelsExpandDepth: 0,
  onComplete: () => {
    const box = document.querySelector('.operation-filter-input');
    if (box) box.placeholder = 'Filter by tag, path, summary or description';
    followLink(window.ui);
  },
  plugins: [
    () => ({
      fn: { opsFilter: matching },
      wrapComponents: { responses: foldedRefusals, operation: besideTwins },
      statePlugins: {
        layout: { wrapSelectors: { isShownKeyFromUrlHashArray: linkedTags } },
        spec: { wrapSelectors: { taggedOperations: withoutTwins } },
      },
    }),
  ],
});
window.addEventListener('hashchange', () => followLink(window.ui));
`;
