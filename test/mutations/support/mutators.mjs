import ts from 'typescript';

/** A change of some text: what stands from `start` to `end` becomes `text`. */
const edit = (node, text) => ({ start: node.getStart(), end: node.getEnd(), text });

/** What each operator becomes. */
const operators = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
]);

/** What each method becomes: another question about the same list. */
const methods = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['findLast', 'find'],
]);

/** The sorts of mutations: each gives the edits that it would make at a node. */
const mutators = {
  /** A condition is turned around. */
  *condition(node) {
    const condition = conditionOf(node);
    if (condition !== undefined) yield edit(condition, `!(${condition.getText()})`);
  },
  *operator(node) {
    if (!ts.isBinaryExpression(node)) return;
    const text = operators.get(node.operatorToken.kind);
    if (text !== undefined) yield edit(node.operatorToken, text);
  },
  /** What stands in for a missing value is missing as well. */
  *default(node) {
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.QuestionQuestionToken)
      return;
    yield edit(node, node.left.getText());
  },
  *negation(node) {
    const isNot = ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken;
    if (isNot) yield edit(node, node.operand.getText());
  },
  *truth(node) {
    if (node.kind === ts.SyntaxKind.TrueKeyword) yield edit(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) yield edit(node, 'true');
  },
  /** A call whose result nobody reads, or a refusal, is left out. */
  *statement(node) {
    if (ts.isThrowStatement(node)) yield edit(node, '{}');
    if (!ts.isExpressionStatement(node)) return;
    const called = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    const isSuper = ts.isCallExpression(called) && called.expression.kind === ts.SyntaxKind.SuperKeyword;
    if (ts.isCallExpression(called) && !isSuper) yield edit(node, '{}');
  },
  /** A result becomes none. */
  *result(node) {
    if (!ts.isReturnStatement(node) || node.expression === undefined) return;
    if (node.expression.getText() !== 'undefined') yield edit(node, 'return undefined;');
  },
  /** The last element of a list is left out. */
  *element(node) {
    if (!ts.isArrayLiteralExpression(node) || node.elements.length === 0) return;
    const kept = node.elements.slice(0, -1).map((element) => element.getText());
    yield edit(node, `[${kept.join(', ')}]`);
  },
  *number(node) {
    if (ts.isNumericLiteral(node)) yield edit(node, node.text === '0' ? '1' : `(${node.getText()} + 1)`);
  },
  *method(node) {
    if (!ts.isPropertyAccessExpression(node) || !ts.isCallExpression(node.parent)) return;
    const text = methods.get(node.name.text);
    if (text !== undefined && node.parent.expression === node) yield edit(node.name, text);
  },
  /** A list is not filtered. */
  *filter(node) {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    if (node.expression.name.text === 'filter') yield edit(node, node.expression.expression.getText());
  },
};

function conditionOf(node) {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression;
  return ts.isConditionalExpression(node) ? node.condition : undefined;
}

/** Types are gone when the code runs, and the words of an error or a log are for people. */
function isSkipped(node) {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isDecorator(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  return ts.isNewExpression(node) && /Error$/.test(node.expression.getText());
}

/** A function by the names around it, so that it keeps its name while others change: `Class.method`, `outer.inner`. */
export function functionsOf(source) {
  const functions = [];
  const taken = new Map();
  const visit = (node, path) => {
    const name = nameOf(node);
    const inner = name === undefined ? path : [...path, name];
    if (ts.isFunctionLike(node) && node.body !== undefined && ts.isBlock(node.body)) {
      const key = inner.join('.');
      const nth = taken.get(key) ?? 0;
      taken.set(key, nth + 1);
      functions.push({ name: nth === 0 ? key : `${key}~${nth}`, body: node.body });
    }
    node.forEachChild((child) => visit(child, inner));
  };
  visit(source, []);
  return functions;
}

function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (node.name !== undefined && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name))) {
    const isNamed = ts.isFunctionLike(node) || ts.isClassDeclaration(node) || ts.isVariableDeclaration(node);
    if (isNamed || ts.isPropertyAssignment(node)) return node.name.text;
  }
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node) ? '()' : undefined;
}

export const parse = (file, text) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** What keeps a text from being TypeScript; undefined for nothing. */
export function syntaxErrorOf(file, text) {
  const [diagnostic] = parse(file, text).parseDiagnostics;
  return diagnostic === undefined ? undefined : ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
}

/**
 * Everything that could be changed in a file, in its order.
 *
 * @returns a list of `{ kind, start, end, text, original, line, within }`; `within` names the function
 */
export function mutationsOf(file, text) {
  const source = parse(file, text);
  const functions = functionsOf(source);
  const found = [];
  const visit = (node) => {
    if (isSkipped(node)) return;
    for (const [kind, mutator] of Object.entries(mutators))
      for (const { start, end, text: changed } of mutator(node)) {
        const line = source.getLineAndCharacterOfPosition(start).line + 1;
        const within = functions.findLast(({ body }) => body.pos <= start && end <= body.end)?.name ?? '';
        found.push({ kind, start, end, text: changed, original: text.slice(start, end), line, within });
      }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}
