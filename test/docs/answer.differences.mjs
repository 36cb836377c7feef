// How an answer differs from the one a page shows. Ids and times of the day are whatever they are, as long as they are
// of the same form; `"…"` stands for any text, and an entry `"…"` at the end of a list or object for more of them.

const forms = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
];

/** Names of counts: records that other pages have made are in them. */
const counts = new Set(['number_results', 'numberResults', 'NumberResults', 'count']);
const others = 20;

/** Names whose values are the database's. */
const generated = new Set(['id', 'Id']);

/**
 * @param {unknown} shown
 * @param {unknown} actual
 * @returns {Generator<string>}
 */
export function* differences(shown, actual, path = '') {
  if (Array.isArray(shown)) {
    const isOpen = shown.at(-1) === '…';
    const told = isOpen ? shown.slice(0, -1) : shown;
    if (!Array.isArray(actual)) return yield `${path || 'the body'} is no list`;
    if (isOpen ? actual.length < told.length : actual.length !== told.length)
      yield `${path || 'the body'} has ${actual.length} entries instead of ${told.length}`;
    for (const [index, one] of told.entries()) yield* differences(one, actual[index], `${path}/${index}`);
  } else if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null) return yield `${path || 'the body'} is no object`;
    for (const name of new Set([...Object.keys(shown), ...Object.keys(actual)])) {
      if (name === '…') continue;
      if (!Object.hasOwn(shown, name)) {
        if (!Object.hasOwn(shown, '…')) yield `${path}/${name} is not shown`;
      } else if (!Object.hasOwn(actual, name)) yield `${path}/${name} is not there`;
      else yield* differences(shown[name], actual[name], `${path}/${name}`);
    }
  } else if (!isSame(shown, actual, path)) {
    yield `${path || 'the body'} is ${JSON.stringify(actual)} instead of ${JSON.stringify(shown)}`;
  }
}

function isSame(shown, actual, path) {
  if (Object.is(shown, actual)) return true;
  if (typeof shown !== typeof actual) return false;
  const name = path.split('/').at(-1) ?? '';
  if (counts.has(name) && shown > 1000) return Math.abs(shown - actual) < others;
  if (generated.has(name)) return Number(shown) < 1000 || hasForm(shown, actual);
  return typeof shown === 'string' && (shown === '…' || hasForm(shown, actual));
}

function hasForm(shown, actual) {
  return forms.some((form) => form.test(String(shown)) && form.test(String(actual)));
}
