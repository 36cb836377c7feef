/** The admin page. See defects.mjs. */
const walk = ['contract/admin.browser', 'contract/admin.lists', 'contract/admin.oidc'];

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
];
