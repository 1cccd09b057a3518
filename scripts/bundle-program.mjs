// Puts a program of the project, such as `bench`, into one file beside the built sources, which it uses
// as they are: what runs is what was built, and files that are found by their place are found.
import { build } from 'esbuild';

const [program = ''] = process.argv.slice(2);

await build({
  entryPoints: [`${program}/main.ts`],
  outfile: `dist/${program}/main.js`,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
  plugins: [
    {
      name: 'built-sources',
      setup({ onResolve }) {
        onResolve({ filter: /^(\.\.\/)+src\// }, ({ path }) => ({
          path: path.replace(/^(\.\.\/)+src\//, '../'),
          external: true,
        }));
      },
    },
  ],
});
