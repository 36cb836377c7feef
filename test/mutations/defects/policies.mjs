/** What a session of row level security has of the claims of its sender. See defects.mjs. */
const session = 'libs/core/src/database/transactions/session.text.ts';

export const defects = [
  {
    name: 'a list in a claim is the tenant of its only member',
    file: session,
    find: "['string', 'bigint', 'boolean'].includes(typeof value) ?",
    replace: 'value !== undefined ?',
    tests: ['contract/row-level-security.claims'],
  },
  {
    name: 'half a character in a claim is the tenant of the character in its place',
    file: session,
    find: '&& isStorable(text)',
    replace: '',
    tests: ['contract/row-level-security.claims'],
  },
  {
    name: 'a number that was rounded is the tenant that it was rounded to',
    file: session,
    find: 'Number.isFinite(value) && !isRounded(value) ?',
    replace: 'Number.isFinite(value) && isRounded(0.5) === false ?',
    tests: ['contract/row-level-security.claims'],
  },
  {
    name: 'a number that is infinite is a tenant',
    file: session,
    find: 'Number.isFinite(value) && !isRounded(value) ?',
    replace: '!isRounded(value) ?',
    tests: ['contract/row-level-security.claims'],
  },
  {
    name: 'a fork has variables that nobody judged',
    file: 'libs/core/src/database/transactions/session.settings.ts',
    find: 'sessionText(name, value),',
    replace: 'String(value),',
    tests: ['contract/row-level-security.claims'],
  },
];
