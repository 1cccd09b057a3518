/**
 * The direction of imports:
 *   worker, client, dev -> workflows (types), activities -> kubernetes, registry, metrics -> contracts -> domain
 * Each rule below is one arrow that must not exist.
 */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: '^src/domain/' },
    },
    {
      name: 'domains-do-not-mix',
      severity: 'error',
      from: { path: '^src/domain/([^/]+)/' },
      to: { path: '^src/domain/', pathNot: ['^src/domain/$1/', '^src/domain/shared/'] },
    },
    {
      name: 'contracts-see-domain-only',
      severity: 'error',
      from: { path: '^src/contracts/' },
      to: { pathNot: ['^src/(domain|contracts)/', 'node_modules/@temporalio/common/'] },
    },
    {
      name: 'workflows-stay-in-sandbox',
      severity: 'error',
      from: { path: '^src/workflows/' },
      to: {
        pathNot: [
          '^src/(domain|contracts|workflows)/',
          'node_modules/@temporalio/(workflow|common)/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workflows-know-activities-as-types',
      severity: 'error',
      from: { path: '^src/workflows/' },
      to: { path: '^src/activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'kubernetes-layer-is-low',
      severity: 'error',
      from: { path: '^src/kubernetes/' },
      to: { path: '^src/', pathNot: '^src/(kubernetes|contracts|domain)/' },
    },
    {
      name: 'only-kubernetes-layer-uses-its-client',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/kubernetes/' },
      to: { path: 'node_modules/@kubernetes/client-node/' },
    },
    {
      name: 'registry-layer-is-low',
      severity: 'error',
      from: { path: '^src/registry/' },
      to: {
        pathNot: ['^src/(registry|contracts|domain)/', 'node_modules/undici/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'registry-layer-is-for-those-who-act',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(registry|activities|worker|client)/' },
      to: { path: '^src/registry/' },
    },
    {
      name: 'only-low-layers-speak-http',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(kubernetes|registry|metrics)/' },
      to: { path: 'node_modules/undici/' },
    },
    {
      name: 'metrics-layer-is-low',
      severity: 'error',
      from: { path: '^src/metrics/' },
      to: {
        pathNot: ['^src/(metrics|contracts|domain)/', 'node_modules/undici/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'metrics-layer-is-for-those-who-act',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(metrics|activities|worker)/' },
      to: { path: '^src/metrics/' },
    },
    {
      name: 'activities-do-not-know-workflows',
      severity: 'error',
      from: { path: '^src/activities/' },
      to: { path: '^src/(workflows|worker|client|dev)/' },
    },
    {
      name: 'client-does-not-act-itself',
      severity: 'error',
      from: { path: '^src/(client|dev)/' },
      to: { path: '^src/activities/' },
    },
    {
      name: 'nothing-depends-on-the-worker',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(worker|client/commands/worker[.]ts)' },
      to: { path: '^src/worker/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
    doNotFollow: { path: 'node_modules' },
  },
};
