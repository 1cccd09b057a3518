import type { Deployment, FieldsOwner } from '../objects.js';

/**
 * Who wrote `spec.replicas` last. An autoscaler writes through the scale subresource, Kubernetes' own
 * from within kube-controller-manager, others (KEDA) under a name that says so.
 */
export function findScaler({ metadata }: Deployment): 'Autoscaler' | 'Manual' {
  const [last] = (metadata.managedFields ?? [])
    .filter(ownsReplicas)
    .sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
  if (last?.subresource !== 'scale') return 'Manual';
  return /^kube-controller-manager$|autoscal|keda/i.test(last.manager ?? '')
    ? 'Autoscaler'
    : 'Manual';
}

function ownsReplicas({ fieldsV1 }: FieldsOwner): boolean {
  const spec = fieldsV1?.['f:spec'];
  return typeof spec === 'object' && spec !== null && 'f:replicas' in spec;
}
