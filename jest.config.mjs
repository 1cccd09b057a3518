const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } },
    ],
  },
};

export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(e2e|node)/'],
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/support/allow-time.ts'],
      globalSetup: '<rootDir>/test/support/start-stack.mjs',
      globalTeardown: '<rootDir>/test/support/stop-stack.mjs',
    },
    {
      ...shared,
      displayName: 'node',
      testMatch: ['<rootDir>/test/node/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/support/allow-time.ts'],
      globalSetup: '<rootDir>/test/support/start-node-stack.mjs',
      globalTeardown: '<rootDir>/test/support/stop-stack.mjs',
    },
  ],
};
