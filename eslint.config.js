import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const noEnum = {
  selector: 'TSEnumDeclaration',
  message: 'Use a table checked with `satisfies`, or a union of literals.',
};
const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name, so that a thing is called the same everywhere.',
};
const noGetterInLiteral = {
  selector: 'ObjectExpression > Property[kind=/^[gs]et$/]',
  message:
    'V8 makes a hidden class for each such object, which keeps all that its getter sees until a full collection.',
};

/** Words at the beginning of a docstring that keep its subject for later, or leave it out. */
const withoutSubject =
  /^(?:(?:what|who|which)(?:ever)?|whom|whose|whether|how|why|when|where|like|as|of|by|that|those|it|the same|(?:some|every|no)(?:thing|body))\b/i;

/** Looks at every docstring, whatever it is about: exported names, their members, and what is private to a file. */
const docstringSubject = {
  meta: {
    type: 'suggestion',
    messages: {
      begin:
        'Begin with the noun it is about ("The …"), a verb for a function ("Sends …", "Gives …"), or "True if …", not with "{{words}}".',
    },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const text = comment.value.replace(/^[*\s]+/, '');
          const words = withoutSubject.exec(text)?.[0];
          if (comment.type === 'Block' && comment.value.startsWith('*') && words !== undefined)
            context.report({ loc: comment.loc, messageId: 'begin', data: { words } });
        }
      },
    };
  },
};

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/node_modules/',
    '**/.data/',
    '**/.scratch/',
    '**/coverage/',
    '**/.vitepress/cache/',
    'test/clients/',
    'apps/front-ends/src/typed/',
    // An application of the Nest CLI, with packages and rules of its own. `npm run tutorial` compiles it.
    'apps/helpdesk/',
    'libs/create-nest-endpoints/empty/',
  ]),
  {
    // A rule that does not fit is changed here, for all, with a reason. No comment switches one off in place:
    // such a comment is itself a warning, and `npm run lint` accepts none.
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
  },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'no-restricted-syntax': ['error', noEnum, noDefaultExport],
      'max-lines': ['warn', { max: 300 }],
      // A Nest module is an empty class that carries a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Applications add their own types to it, as to Express's Request.
      '@typescript-eslint/no-empty-object-type': ['error', { allowWithName: '^Register$' }],
      // A parameter that an interface prescribes and this member does not need, or a key left out by destructuring.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // Nest and MikroORM declare their option objects as classes; a literal is how one passes them.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // An empty environment variable counts as unset: `process.env['PORT'] || '3000'`.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['libs/*/src/**/*.ts'],
    plugins: { house: { rules: { 'docstring-subject': docstringSubject } } },
    rules: {
      'house/docstring-subject': 'error',
      'no-restricted-syntax': ['error', noEnum, noDefaultExport, noGetterInLiteral],
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // Nest tells modules apart by their class, whatever the class holds.
    files: ['**/*.module.ts'],
    rules: { '@typescript-eslint/no-extraneous-class': 'off' },
  },
  {
    // Response bodies of supertest and mocks of jest are `any` by their own types.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Plain JavaScript belongs to no TypeScript project; only rules that need no types apply.
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: nodeGlobals() },
  },
  {
    // Modules, DTOs and entities are known by their class, and in plain JavaScript decorators are put on from outside.
    files: ['bench/**/*.mjs', 'test/**/*.mjs'],
    rules: { '@typescript-eslint/no-extraneous-class': 'off' },
  },
  {
    // These tools read a default export.
    files: [
      '*.config.{js,mjs,ts}',
      '*/*.config.{js,mjs,ts}',
      '.dependency-cruiser.js',
      'site/.vitepress/*.mjs',
    ],
    rules: { 'no-restricted-syntax': ['error', noEnum] },
  },
);

/** What Node offers without an import. */
function nodeGlobals() {
  return Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly']));
}
