export const partNames = [
  'temporal',
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'real-node',
  'worker',
] as const;

export type PartName = (typeof partNames)[number];

/** The ports of each part, in the order in which they are written down. */
export const portNames = {
  temporal: ['grpc', 'ui', 'http', 'metrics'],
  etcd: ['client', 'peer'],
  'kube-apiserver': ['https'],
  'kube-controller-manager': ['https'],
  'kube-scheduler': ['https'],
  kwok: ['http'],
  'real-node': ['health'],
  worker: ['http'],
} as const satisfies Readonly<Record<PartName, readonly string[]>>;

export type PortsOf<Name extends PartName> = Readonly<
  Record<(typeof portNames)[Name][number], number>
>;

/**
 * The order of stopping: whoever calls another goes before it. Those in one row go together. An
 * apiserver without etcd does not stop when asked, so etcd goes last.
 */
export const stopOrder: readonly (readonly PartName[])[] = [
  ['worker'],
  ['real-node'],
  ['kwok', 'kube-scheduler', 'kube-controller-manager'],
  ['kube-apiserver'],
  ['etcd', 'temporal'],
];

const clusterParts: readonly PartName[] = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
];

/** What the stack consists of when the user brings some of it. */
export function expectedParts(settings: {
  readonly kubeconfig?: string | undefined;
  readonly temporalAddress?: string | undefined;
  readonly worker: boolean;
  readonly realNode?: boolean | undefined;
}): readonly PartName[] {
  return [
    ...(settings.temporalAddress === undefined ? (['temporal'] as const) : []),
    ...(settings.kubeconfig === undefined ? clusterParts : []),
    ...(settings.realNode === true ? (['real-node'] as const) : []),
    ...(settings.worker ? (['worker'] as const) : []),
  ];
}

/** A part of several processes, of which the first passes nothing on: all of them are asked to end. */
export const isGroup = (name: PartName): boolean => name === 'real-node';
