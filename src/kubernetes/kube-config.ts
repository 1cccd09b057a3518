/**
 * The one thing that we run of the official client: reading kubeconfigs and their credentials. In a
 * module of its own, because the build puts it and all that it needs into one file: spread over 2,500,
 * it takes most of a second to load.
 */
export { KubeConfig } from '@kubernetes/client-node';
