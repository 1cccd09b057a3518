// Puts the kubeconfig reader and all that it needs into one file: spread over the 2,500 files of the
// official client it takes a second to load, which every command would pay.
import { build } from 'esbuild';

await build({
  entryPoints: ['src/kubernetes/kube-config.ts'],
  outfile: 'dist/kubernetes/kube-config.js',
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
  // Some of what it bundles is CommonJS, and asks for Node's own modules by require.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
