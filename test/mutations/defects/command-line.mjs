/** The command line. See defects.mjs. */
const tests = ['contract/cli'];

export const defects = [
  {
    name: 'a number of --key=value is rounded on its way into the body',
    file: 'libs/cli/src/request/request.of.line.ts',
    find: '`${JSON.stringify(name)}:${value}`',
    replace: '`${JSON.stringify(name)}:${JSON.stringify(JSON.parse(value))}`',
    tests,
  },
];
