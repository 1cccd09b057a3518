// The library finds its own parts by metadata, and needs this to be there before it.
import 'reflect-metadata';

import { KeyObject, webcrypto } from 'node:crypto';
import { isIPv4 } from 'node:net';

import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
  type Extension,
  type JsonName,
} from '@peculiar/x509';

// Node's own, whatever else calls itself `crypto` in the global scope.
cryptoProvider.set(webcrypto);

const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

const dayMs = 24 * 60 * 60 * 1000;
/** A local stack keeps its data, and so its certificates, for as long as its owner likes. */
const validForMs = 3650 * dayMs;
/** Another machine's clock, or one set back a little, still accepts a certificate just made. */
const backdatedMs = 60 * 60 * 1000;

export interface CertificateRequest {
  readonly commonName: string;
  /** Kubernetes reads a client's groups from here. */
  readonly organization?: string;
  readonly usages: readonly ('server' | 'client')[];
  /** Host names and IPv4 addresses the certificate is good for. */
  readonly hosts?: readonly string[];
}

export interface Authority {
  readonly certificate: string;
  /** Signs, and can't be exported: it ends with the process that made it. */
  readonly key: webcrypto.CryptoKey;
}

export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: KeyObject;
}

/** A certificate that signs others and itself. */
export async function createAuthority(commonName: string): Promise<Authority> {
  const { publicKey, privateKey } = await generateKeys({ extractable: false });
  const name = buildName({ commonName });
  const certificate = await X509CertificateGenerator.create({
    ...validity(),
    subject: name,
    issuer: name,
    publicKey,
    signingKey: privateKey,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(publicKey),
    ],
  });
  return { certificate: toPem(certificate), key: privateKey };
}

export async function issueCertificate(
  authority: Authority,
  request: CertificateRequest,
): Promise<IssuedCertificate> {
  const { publicKey, privateKey } = await generateKeys({ extractable: true });
  const issuer = new X509Certificate(authority.certificate);
  const certificate = await X509CertificateGenerator.create({
    ...validity(),
    subject: buildName(request),
    issuer: issuer.subjectName,
    publicKey,
    signingKey: authority.key,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      // An elliptic-curve key signs handshakes; it encrypts nothing.
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension(request.usages.map(toExtendedUsage)),
      ...buildAlternativeNames(request.hosts ?? []),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { certificate: toPem(certificate), key: KeyObject.from(privateKey) };
}

function generateKeys(options: { extractable: boolean }): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(keyAlgorithm, options.extractable, ['sign', 'verify']);
}

function validity(): { notBefore: Date; notAfter: Date } {
  const nowMs = Date.now();
  return { notBefore: new Date(nowMs - backdatedMs), notAfter: new Date(nowMs + validForMs) };
}

function buildName(name: { commonName: string; organization?: string }): JsonName {
  return [
    ...(name.organization === undefined ? [] : [{ O: [name.organization] }]),
    { CN: [name.commonName] },
  ];
}

function toExtendedUsage(usage: 'server' | 'client'): ExtendedKeyUsage {
  return usage === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth;
}

/** None at all without hosts, because the list may not be empty. */
function buildAlternativeNames(hosts: readonly string[]): Extension[] {
  if (hosts.length === 0) return [];
  const names = hosts.map((value) => ({ type: isIPv4(value) ? 'ip' : 'dns', value }) as const);
  return [new SubjectAlternativeNameExtension(names)];
}

/** The library's text ends without the newline that ends a text file. */
function toPem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
