import { generateKeyPairSync, X509Certificate, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { nodeAddresses, realNodeName } from '../node/node-network.js';
import type { CertificateRequest, IssuedCertificate } from './issue-certificate.js';
import { pkiFiles, type CertificateFiles, type PkiFiles } from './pki-files.js';

/** Every part listens on loopback only. */
const localHosts = ['127.0.0.1', 'localhost'];

/** Members of this group may do everything: the apiserver has it built in. */
const administrators = 'system:masters';

/** The ServiceAccount that deploy/rbac.yaml gives its rights to, as the apiserver calls it. */
const workerUser = 'system:serviceaccount:slipway-system:slipway-worker';
const serviceAccounts = 'system:serviceaccounts';

type PairName = {
  [Key in keyof PkiFiles]: PkiFiles[Key] extends CertificateFiles ? Key : never;
}[keyof PkiFiles];

/** Which authority signs what. etcd has its own, so that no user of the cluster can open it. */
export function certificateRequests(apiserverServiceAddress: string): {
  readonly etcd: Partial<Record<PairName, CertificateRequest>>;
  readonly cluster: Partial<Record<PairName, CertificateRequest>>;
} {
  return {
    etcd: {
      // One member, which is its own peer, and so also a client of itself.
      etcd: { commonName: 'etcd', usages: ['server', 'client'], hosts: localHosts },
      etcdClient: { commonName: 'kube-apiserver', usages: ['client'] },
    },
    cluster: {
      apiserver: {
        commonName: 'kube-apiserver',
        usages: ['server'],
        hosts: [
          ...localHosts,
          apiserverServiceAddress,
          'kubernetes',
          'kubernetes.default',
          'kubernetes.default.svc',
          'kubernetes.default.svc.cluster.local',
        ],
      },
      controllerManager: {
        commonName: 'system:kube-controller-manager',
        usages: ['server', 'client'],
        hosts: localHosts,
      },
      scheduler: {
        commonName: 'system:kube-scheduler',
        usages: ['server', 'client'],
        hosts: localHosts,
      },
      kwok: { commonName: 'kwok', organization: administrators, usages: ['client'] },
      // The worker has the rights that deploy/ gives its ServiceAccount, here as in production.
      worker: { commonName: workerUser, organization: serviceAccounts, usages: ['client'] },
      kubelet: {
        commonName: `system:node:${realNodeName}`,
        organization: 'system:nodes',
        usages: ['server', 'client'],
        // Which of them it has is known only when it starts.
        hosts: nodeAddresses,
      },
      kubeletClient: {
        commonName: 'kube-apiserver-kubelet-client',
        organization: administrators,
        usages: ['client'],
      },
      admin: { commonName: 'admin', organization: administrators, usages: ['client'] },
    },
  };
}

/**
 * Keys and certificates of one stack, made once; all of them anew when one is missing, because the
 * keys of the authorities are not kept. Returns what tells these from others.
 */
export async function ensurePki(folder: string, apiserverServiceAddress: string): Promise<string> {
  if (!isComplete(pkiFiles(folder))) await createPki(folder, apiserverServiceAddress);
  return new X509Certificate(readFileSync(pkiFiles(folder).clusterAuthority)).fingerprint256;
}

function isComplete(files: PkiFiles): boolean {
  const paths = Object.values(files).flatMap((entry: string | Record<string, string>) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  // Kubeconfigs are written at each start, with the address of then.
  return paths.filter((path) => !path.endsWith('.kubeconfig')).every((path) => existsSync(path));
}

async function createPki(folder: string, apiserverServiceAddress: string): Promise<void> {
  // What makes certificates takes a while to load, and a stack makes them once.
  const { createAuthority, issueCertificate } = await import('./issue-certificate.js');
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const files = pkiFiles(draft);
  const [etcdAuthority, clusterAuthority] = await Promise.all([
    createAuthority('slipway etcd'),
    createAuthority('slipway local cluster'),
  ]);
  writeSecret(files.etcdAuthority, etcdAuthority.certificate);
  writeSecret(files.clusterAuthority, clusterAuthority.certificate);
  const requests = certificateRequests(apiserverServiceAddress);
  await issueAll((request) => issueCertificate(etcdAuthority, request), requests.etcd, files);
  await issueAll((request) => issueCertificate(clusterAuthority, request), requests.cluster, files);
  const serviceAccount = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeSecret(files.serviceAccount.key, encodePrivateKey(serviceAccount.privateKey));
  writeSecret(
    files.serviceAccount.publicKey,
    serviceAccount.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  );
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
}

async function issueAll(
  issue: (request: CertificateRequest) => Promise<IssuedCertificate>,
  requests: Partial<Record<PairName, CertificateRequest>>,
  files: PkiFiles,
): Promise<void> {
  for (const [name, request] of Object.entries(requests)) {
    const issued = await issue(request);
    const { certificate, key } = files[name as PairName];
    writeSecret(certificate, issued.certificate);
    writeSecret(key, encodePrivateKey(issued.key));
  }
}

/** The form that the apiserver reads for the keys of ServiceAccounts, too. */
function encodePrivateKey(key: KeyObject): string {
  return key.export({ type: 'sec1', format: 'pem' }).toString();
}

function writeSecret(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}
