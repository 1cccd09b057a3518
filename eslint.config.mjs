import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', '.slipway', 'coverage', 'toolchain'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.mjs', '*.cjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      complexity: ['error', 20],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    // Workflow code is replayed: it may not see a clock of its own, a random number or Node.
    files: ['src/workflows/**', 'src/domain/**', 'src/contracts/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        'process',
        'Buffer',
        'require',
        'setTimeout',
        'setInterval',
        'fetch',
        'crypto',
      ],
      'no-restricted-imports': ['error', { patterns: ['node:*'] }],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Not repeatable on replay.' },
      ],
    },
  },
  {
    // Decisions are functions of what was observed: the time is passed in.
    files: ['src/domain/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Pass time in.',
        },
        {
          selector: "MemberExpression[object.name='Date'][property.name='now']",
          message: 'Pass time in.',
        },
      ],
    },
  },
  {
    files: ['test/**'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  { files: ['**/*.mjs', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', URL: 'readonly' } },
  },
  { files: ['**/*.cjs'], languageOptions: { globals: { module: 'writable' } } },
  prettier,
);
