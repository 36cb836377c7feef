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
    name: 'a terminal obeys what a stream of text has',
    file: 'libs/cli/src/output/terminal.ts',
    find: 'return this.write(this.isWatched ? printableLines(text) : text);',
    replace: 'return this.write(text);',
    tests,
  },
  {
    name: 'a terminal obeys what a record of --follow has',
    file: 'libs/cli/src/output/terminal.ts',
    find: 'return this.write(this.isWatched ? printableJson(json) : json);',
    replace: 'return this.write(json);',
    tests,
  },
  {
    name: 'a terminal obeys what an answer in JSON has',
    file: 'libs/cli/src/output/json.painter.ts',
    find: 'printableJson(json).match(tokens)',
    replace: 'json.match(tokens)',
    tests,
  },
];
