import { readFileSync, renameSync, writeFileSync } from 'node:fs';

import { stringify } from 'yaml';

import type { CertificateFiles } from './pki-files.js';

export interface KubeconfigRequest {
  readonly server: string;
  readonly clusterName: string;
  readonly userName: string;
  readonly authority: string;
  readonly client: CertificateFiles;
}

/** A kubeconfig that carries its certificates, so that it works from wherever it is copied to. */
export function writeKubeconfig(path: string, request: KubeconfigRequest): void {
  const { clusterName, userName } = request;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: clusterName,
        cluster: {
          server: request.server,
          'certificate-authority-data': readBase64(request.authority),
        },
      },
    ],
    users: [
      {
        name: userName,
        user: {
          'client-certificate-data': readBase64(request.client.certificate),
          'client-key-data': readBase64(request.client.key),
        },
      },
    ],
    contexts: [
      {
        name: clusterName,
        context: { cluster: clusterName, user: userName, namespace: 'default' },
      },
    ],
    'current-context': clusterName,
  };
  const draft = `${path}.draft`;
  writeFileSync(draft, stringify(config, { lineWidth: 0 }), { mode: 0o600 });
  renameSync(draft, path);
}

const readBase64 = (path: string): string => readFileSync(path).toString('base64');
