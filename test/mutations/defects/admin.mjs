/** The admin page. See defects.mjs. */
const walk = ['contract/admin.browser', 'contract/admin.lists', 'contract/admin.oidc'];
const values = ['contract/admin.values'];

export const defects = [
  {
    name: 'a conflict is told far above the button that was refused',
    file: 'libs/admin/page/screens/record.edit.tsx',
    find: "alert.current?.scrollIntoView({ block: 'center' });",
    replace: '',
    tests: walk,
  },
  {
    name: 'a list shows a column that its search does not give',
    file: 'libs/admin/page/model/listed.columns.ts',
    find: 'names === undefined || names.has(name)',
    replace: "names === undefined || name !== ''",
    tests: walk,
  },
  {
    name: 'a form writes what a clock shows without saying where',
    file: 'libs/admin/page/screens/inputs.tsx',
    find: ' parse={instantOf}',
    replace: '',
    tests: values,
  },
  {
    name: 'a form forgets the seconds of an instant',
    file: 'libs/admin/page/screens/instant.ts',
    find: 'date.getMinutes(), date.getSeconds(), date.getMilliseconds()',
    replace: 'date.getMinutes()',
    tests: values,
  },
  {
    name: 'a form writes what is no JSON as a text',
    file: 'libs/admin/page/screens/json.input.tsx',
    find: "? 'This is no JSON' : undefined",
    replace: '? undefined : undefined',
    tests: values,
  },
  {
    name: 'a form has no records for a column of many keys',
    file: 'libs/admin/page/model/screen.columns.ts',
    find: ', letters(`${model}${key}s`)',
    replace: '',
    tests: values,
  },
  {
    name: 'a filter of yes and no cannot be taken back',
    file: 'libs/admin/page/screens/inputs.tsx',
    find: "text === '' ? null : text === 'true'",
    replace: "text === 'true'",
    tests: values,
  },
];
