import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import { ensurePki } from '../../../src/dev/pki/ensure-pki.js';
import { nodeAddresses } from '../../../src/dev/node/node-network.js';
import { pkiFiles } from '../../../src/dev/pki/pki-files.js';
import { writeKubeconfig } from '../../../src/dev/pki/write-kubeconfig.js';

const parent = mkdtempSync(join(tmpdir(), 'slipway-pki-'));
const folder = join(parent, 'pki');
const files = pkiFiles(folder);
const read = (path: string): X509Certificate => new X509Certificate(readFileSync(path));

beforeAll(async () => {
  await ensurePki(folder, '10.96.0.1');
});
afterAll(() => {
  rmSync(parent, { recursive: true });
});

describe('the certificates of a stack', () => {
  test('the apiserver is known by its address, its service and its service address', () => {
    const certificate = read(files.apiserver.certificate);
    for (const address of ['127.0.0.1', '10.96.0.1']) {
      expect(certificate.checkIP(address)).toBe(address);
    }
    for (const host of ['localhost', 'kubernetes.default.svc']) {
      expect(certificate.checkHost(host)).toBe(host);
    }
  });

  test('etcd has an authority of its own, so no user of the cluster can open it', () => {
    const etcd = read(files.etcdAuthority);
    const cluster = read(files.clusterAuthority);
    expect(read(files.etcd.certificate).verify(etcd.publicKey)).toBe(true);
    expect(read(files.etcdClient.certificate).verify(etcd.publicKey)).toBe(true);
    expect(read(files.admin.certificate).verify(etcd.publicKey)).toBe(false);
    expect(read(files.admin.certificate).verify(cluster.publicKey)).toBe(true);
  });

  test.each([
    ['admin', 'O=system:masters\nCN=admin'],
    ['controllerManager', 'CN=system:kube-controller-manager'],
    ['scheduler', 'CN=system:kube-scheduler'],
    ['kubelet', 'O=system:nodes\nCN=system:node:real-1'],
    ['kubeletClient', 'O=system:masters\nCN=kube-apiserver-kubelet-client'],
    ['worker', 'O=system:serviceaccounts\nCN=system:serviceaccount:slipway-system:slipway-worker'],
  ] as const)('%s is %j', (name, subject) => {
    expect(read(files[name].certificate).subject).toBe(subject);
  });

  test('the real node is known by whichever address it gets', () => {
    const certificate = read(files.kubelet.certificate);
    for (const address of nodeAddresses) expect(certificate.checkIP(address)).toBe(address);
  });

  test('only their owner can read them, and no key of an authority is kept', () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) {
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(readdirSync(folder).filter((name) => /ca\.key/.test(name))).toEqual([]);
  });

  test('they are made once', async () => {
    const before = readFileSync(files.admin.key, 'utf8');
    await ensurePki(folder, '10.96.0.1');
    expect(readFileSync(files.admin.key, 'utf8')).toBe(before);
    expect(readdirSync(parent)).toEqual(['pki']);
  });

  test('all of them are made anew when one is missing, and that can be told', async () => {
    const other = join(parent, 'other');
    const first = await ensurePki(other, '10.96.0.1');
    expect(await ensurePki(other, '10.96.0.1')).toBe(first);
    rmSync(pkiFiles(other).kwok.certificate);
    expect(await ensurePki(other, '10.96.0.1')).not.toBe(first);
    const authority = read(pkiFiles(other).clusterAuthority);
    expect(read(pkiFiles(other).kwok.certificate).verify(authority.publicKey)).toBe(true);
    expect(read(pkiFiles(other).admin.certificate).verify(authority.publicKey)).toBe(true);
  });
});

test('a kubeconfig carries its certificates and is for its owner only', () => {
  const path = join(parent, 'kubeconfig');
  writeKubeconfig(path, {
    server: 'https://127.0.0.1:1234',
    clusterName: 'local',
    userName: 'admin',
    authority: files.clusterAuthority,
    client: files.admin,
  });
  const config = parse(readFileSync(path, 'utf8')) as {
    clusters: { cluster: Record<string, string> }[];
    users: { user: Record<string, string> }[];
    'current-context': string;
  };
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(config['current-context']).toBe('local');
  expect(config.clusters[0]!.cluster['server']).toBe('https://127.0.0.1:1234');
  expect(Buffer.from(config.users[0]!.user['client-key-data']!, 'base64').toString()).toBe(
    readFileSync(files.admin.key, 'utf8'),
  );
  rmSync(path);
});
