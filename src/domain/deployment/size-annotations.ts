import { resolveMargins, type Sized } from '../shared/sizes.js';
import type { SizeAnnotations } from './plan.js';

export function sizeAnnotations(deployment: Sized): SizeAnnotations {
  const { surge } = resolveMargins(deployment);
  return { desired: deployment.replicas, max: deployment.replicas + surge };
}
