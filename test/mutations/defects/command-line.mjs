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
  {
    name: 'a terminal that is closed leaves the statement of a command running',
    file: 'libs/cli/src/stop.switch.ts',
    find: 'SIGHUP: 129, ',
    replace: '',
    tests: ['contract/cli.words'],
  },
  {
    name: 'what knows no --dry-run does what it is asked',
    file: 'libs/cli/src/request/request.of.line.ts',
    find: 'line.dryRun && dryRun === undefined',
    replace: 'line.dryRun && segments.length === 0',
    tests: ['contract/cli.words'],
  },
  {
    name: 'a word of the command line does not heed an option, and says nothing',
    file: 'libs/cli/src/commands/run.command.ts',
    find: 'if (asks === true) return;',
    replace: 'if (asks !== false) return;',
    tests: ['contract/cli.words'],
  },
  {
    name: '--help knows no words of the command line',
    file: 'libs/cli/src/commands/show.help.ts',
    find: 'own !== undefined',
    replace: 'own === undefined',
    tests: ['contract/cli.words'],
  },
  {
    name: 'help that nobody could read is a success',
    file: 'libs/cli/src/command.session.ts',
    find: 'return this.#told(0);',
    replace: 'return 0;',
    tests: ['contract/cli.words'],
  },
];
