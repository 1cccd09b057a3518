// Runs the tests that need a real node where there can be one; elsewhere it says in one line what is missing,
// which is a failure only where SLIPWAY_REQUIRE_NODE=1 says that it must be there.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const built = new URL('../dist/dev/node/', import.meta.url);
if (!existsSync(built)) {
  process.stderr.write('test:node: the sources are not built; run "npm run build"\n');
  process.exit(1);
}
const { judgeHost } = await import(new URL('judge-host.js', built));
const { observeHost } = await import(new URL('observe-host.js', built));

const problem = judgeHost(await observeHost('00000000')) ?? (await judgeExample());
if (problem === undefined) {
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      'node',
      '--maxWorkers=2',
      ...process.argv.slice(2),
    ],
    {
      stdio: 'inherit',
      env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
    },
  );
  process.exit(status ?? 1);
}
process.stderr.write(`The tests on a real node did not run: ${problem}\n`);
process.exit(process.env.SLIPWAY_REQUIRE_NODE === '1' ? 1 : 0);

/** The tests make the images of examples/rails. */
async function judgeExample() {
  const { findMissingPackages } = await import('../examples/rails/recipes.mjs');
  const names = findMissingPackages();
  return names.length === 0
    ? undefined
    : `packages are missing; install them with "apt-get install --no-install-recommends ${names.join(' ')}"`;
}
