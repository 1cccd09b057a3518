import { join } from 'node:path';

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** A client of the apiserver: its certificate, and a kubeconfig that carries it. */
export type ClientFiles = CertificateFiles & { readonly kubeconfig: string };

export interface PkiFiles {
  readonly etcdAuthority: string;
  readonly etcd: CertificateFiles;
  readonly etcdClient: CertificateFiles;
  readonly clusterAuthority: string;
  readonly apiserver: CertificateFiles;
  readonly controllerManager: ClientFiles;
  readonly scheduler: ClientFiles;
  readonly kwok: ClientFiles;
  readonly worker: ClientFiles;
  /** The real node's, as a client and as a server. */
  readonly kubelet: ClientFiles;
  /** The apiserver's, as a client of that. */
  readonly kubeletClient: CertificateFiles;
  readonly admin: CertificateFiles;
  readonly serviceAccount: { readonly key: string; readonly publicKey: string };
}

export function pkiFiles(folder: string): PkiFiles {
  const pair = (name: string): CertificateFiles => ({
    certificate: join(folder, `${name}.crt`),
    key: join(folder, `${name}.key`),
  });
  const client = (name: string): ClientFiles => ({
    ...pair(name),
    kubeconfig: join(folder, `${name}.kubeconfig`),
  });
  return {
    etcdAuthority: join(folder, 'etcd-ca.crt'),
    etcd: pair('etcd'),
    etcdClient: pair('etcd-client'),
    clusterAuthority: join(folder, 'ca.crt'),
    apiserver: pair('kube-apiserver'),
    controllerManager: client('kube-controller-manager'),
    scheduler: client('kube-scheduler'),
    kwok: client('kwok'),
    worker: client('worker'),
    kubelet: client('kubelet'),
    kubeletClient: pair('kubelet-client'),
    admin: pair('admin'),
    serviceAccount: {
      key: join(folder, 'service-account.key'),
      publicKey: join(folder, 'service-account.pub'),
    },
  };
}
