import { X509Certificate, createPrivateKey } from 'node:crypto';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { der } from '../../../src/dev/pki/der.js';
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
    expect(
      certificate.checkPrivateKey(
        createPrivateKey(authority.key.export({ type: 'sec1', format: 'pem' })),
      ),
    ).toBe(false);
    expect(certificate.checkPrivateKey(issued.key)).toBe(true);
  });

  test('is valid now and for years', async () => {
    const issued = await issueCertificate(authority, { commonName: 'a', usages: ['client'] });
    const { validFrom, validTo } = new X509Certificate(issued.certificate);
    expect(Date.parse(validFrom)).toBeLessThan(Date.now());
    expect(Date.parse(validTo) - Date.now()).toBeGreaterThan(5 * 365 * 24 * 3_600_000);
  });
});

describe('DER', () => {
  test.each([
    ['a short length', der.octetString(Buffer.alloc(3)), '0403000000'],
    ['a length of one byte more', der.octetString(Buffer.alloc(200)).subarray(0, 3), '0481c8'],
    ['a length of two bytes more', der.octetString(Buffer.alloc(1_000)).subarray(0, 4), '048203e8'],
    ['a number that would read as negative', der.integer(Buffer.from([0x80])), '02020080'],
    ['an object identifier', der.objectIdentifier('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
    [
      'a time until 2049',
      der.time(new Date('2026-01-02T03:04:05.678Z')),
      '170d3236303130323033303430355a',
    ],
    [
      'a time after that',
      der.time(new Date('2050-01-02T03:04:05Z')),
      '180f32303530303130323033303430355a',
    ],
  ])('%s', (_title, bytes, hex) => {
    expect(bytes.toString('hex')).toBe(hex);
  });
});
