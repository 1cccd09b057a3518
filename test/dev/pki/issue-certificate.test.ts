import { X509Certificate, webcrypto } from 'node:crypto';

import { beforeAll, describe, expect, test } from '@jest/globals';

import {
  createAuthority,
  issueCertificate,
  type Authority,
} from '../../../src/dev/pki/issue-certificate.js';

let authority: Authority;
let root: X509Certificate;

beforeAll(async () => {
  authority = await createAuthority('an authority');
  root = new X509Certificate(authority.certificate);
});

const serverAuth = '1.3.6.1.5.5.7.3.1';
const clientAuth = '1.3.6.1.5.5.7.3.2';

describe('an authority', () => {
  test('signs itself and may sign others', () => {
    expect(root.ca).toBe(true);
    expect(root.subject).toBe('CN=an authority');
    expect(root.verify(root.publicKey)).toBe(true);
  });

  test('has a key of its own', async () => {
    const other = new X509Certificate((await createAuthority('another')).certificate);
    expect(other.verify(root.publicKey)).toBe(false);
    expect(other.serialNumber).not.toBe(root.serialNumber);
    expect(root.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  });

  test('keeps its key to itself', async () => {
    await expect(webcrypto.subtle.exportKey('pkcs8', authority.key)).rejects.toThrow(
      'not extractable',
    );
  });
});

describe('a server certificate', () => {
  test('is good for its hosts, and for them only', async () => {
    const issued = await issueCertificate(authority, {
      commonName: 'server',
      usages: ['server'],
      hosts: ['127.0.0.1', 'localhost', 'kubernetes.default.svc'],
    });
    const certificate = new X509Certificate(issued.certificate);
    expect(certificate.subjectAltName).toBe(
      'IP Address:127.0.0.1, DNS:localhost, DNS:kubernetes.default.svc',
    );
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkHost('example.com')).toBeUndefined();
    expect(certificate.keyUsage).toEqual([serverAuth]);
    expect(certificate.ca).toBe(false);
  });
});

describe('a client certificate', () => {
  test('carries user and group, its own key and the signature of the authority', async () => {
    const issued = await issueCertificate(authority, {
      commonName: 'admin',
      organization: 'system:masters',
      usages: ['client'],
    });
    const certificate = new X509Certificate(issued.certificate);
    expect(certificate.subject).toBe('O=system:masters\nCN=admin');
    expect(certificate.issuer).toBe('CN=an authority');
    expect(certificate.keyUsage).toEqual([clientAuth]);
    expect(certificate.subjectAltName).toBeUndefined();
    expect(certificate.checkIssued(root)).toBe(true);
    expect(certificate.verify(root.publicKey)).toBe(true);
    expect(certificate.publicKey.equals(root.publicKey)).toBe(false);
    expect(certificate.checkPrivateKey(issued.key)).toBe(true);
  });

  test('is valid now and for years', async () => {
    const issued = await issueCertificate(authority, { commonName: 'a', usages: ['client'] });
    const { validFrom, validTo } = new X509Certificate(issued.certificate);
    expect(Date.parse(validFrom)).toBeLessThan(Date.now());
    expect(Date.parse(validTo) - Date.now()).toBeGreaterThan(5 * 365 * 24 * 3_600_000);
  });
});
