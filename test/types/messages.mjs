// What the compiler says of the mistakes in mistakes/mistakes.ts, compared with messages.txt; `--update` writes it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const folder = join(import.meta.dirname, 'mistakes');
const snapshot = join(import.meta.dirname, 'messages.txt');
const found = messages();

if (process.argv.includes('--update')) writeFileSync(snapshot, found);
else if (found === readFileSync(snapshot, 'utf8')) console.log('Compiler messages are those of messages.txt');
else {
  console.error(
    `Compiler messages differ from messages.txt (npm run types -- --update writes it):\n\n${found}`,
  );
  process.exitCode = 1;
}

/** The messages below the titles of the mistakes. A statement without one is a mistake that compiles. */
function messages() {
  const program = programOf(join(folder, 'tsconfig.json'));
  const file = program.getSourceFile(join(folder, 'mistakes.ts'));
  const diagnostics = ts.getPreEmitDiagnostics(program);
  const strays = diagnostics.filter((diagnostic) => diagnostic.file !== file);
  if (strays.length > 0) throw new Error(textOf(strays[0]));
  return file.statements
    .filter(ts.isExpressionStatement)
    .map((statement) => {
      const own = diagnostics.filter(
        ({ start }) => statement.getStart(file) <= start && start < statement.getEnd(),
      );
      const lines = own.map((diagnostic) => `- ${textOf(diagnostic)}\n`);
      return titleOf(file, statement) + (lines.join('') || '- (compiles)\n');
    })
    .join('');
}

function programOf(path) {
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { fileNames, options, projectReferences } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  return ts.createProgram({ rootNames: fileNames, options, projectReferences });
}

/** The comment above a statement, where there is one. */
function titleOf(file, statement) {
  const comments = ts.getLeadingCommentRanges(file.text, statement.getFullStart()) ?? [];
  const titles = comments.map(({ pos, end }) => /^\/\* (.*) \*\/$/.exec(file.text.slice(pos, end))?.[1]);
  return titles.map((title) => (title === undefined ? '' : `\n${title}\n`)).join('');
}

function textOf({ messageText }) {
  return ts.flattenDiagnosticMessageText(messageText, '\n');
}
