import { configAnnotations, deployerPodLabel } from '../deployment-configs/annotations.js';
import type { KubernetesObject } from '../objects.js';

const longestLabelValue = 63;

/** Names may be longer than values of labels: then only their beginning is in the label. */
export const toDeployerPodLabel = (name: string): string =>
  name.slice(0, longestLabelValue).replace(/[^a-z0-9]+$/i, '');

/** The deployment that a run-once pod works for, by its whole name; undefined for other pods. */
export const workedFor = ({ metadata: { labels, annotations } }: KubernetesObject) =>
  labels?.[deployerPodLabel] &&
  (annotations?.[configAnnotations.deploymentName] ?? labels[deployerPodLabel]);
