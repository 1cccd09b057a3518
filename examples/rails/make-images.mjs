// Makes the images of this example and gives them to the real node of the local stack: all of them, or those
// that are named, such as "postgres" or "rails:2".
import { existsSync } from 'node:fs';

const built = new URL('../../dist/', import.meta.url);
if (!existsSync(built)) fail('the sources are not built; run "npm run build"', 1);
const { findMissingPackages, postgresImage, railsImage } = await import('./recipes.mjs');
const { findStateFolder } = await import(new URL('dev/stack/layout.js', built));
const { makeImage } = await import(new URL('dev/node/make-image.js', built));

const recipes = {
  postgres: postgresImage,
  'rails:1': () => railsImage(1),
  'rails:2': () => railsImage(2),
  'rails:3': () => railsImage(3),
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(recipes, name));
if (unknown !== undefined) {
  fail(`${unknown} is no image of this example; it has ${Object.keys(recipes).join(', ')}`, 2);
}
const missing = findMissingPackages();
if (missing.length > 0) {
  const command = `apt-get install --no-install-recommends ${missing.join(' ')}`;
  fail(`packages are missing; install them with "${command}"`, 1);
}
const stateFolder = findStateFolder(process.env.SLIPWAY_STATE_DIR, process.cwd());
for (const name of asked.length === 0 ? Object.keys(recipes) : asked) {
  const request = await recipes[name]();
  const made = await makeImage(stateFolder, request).catch((error) => fail(error.message, 1));
  process.stdout.write(`${made}\n`);
}

function fail(message, code) {
  process.stderr.write(`make-images: ${message}\n`);
  process.exit(code);
}
