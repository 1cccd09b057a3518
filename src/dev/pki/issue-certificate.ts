import {
  createHash,
  createPublicKey,
  generateKeyPair,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import { isIPv4 } from 'node:net';
import { promisify } from 'node:util';

import { der } from './der.js';

const generateKeys = promisify(generateKeyPair);

const oids = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

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
  readonly commonName: string;
  readonly certificate: string;
  readonly key: KeyObject;
}

export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: KeyObject;
}

/** A certificate that signs others and itself. */
export async function createAuthority(commonName: string): Promise<Authority> {
  const { publicKey, privateKey } = await generateKeys('ec', { namedCurve: 'P-256' });
  const certificate = encodeCertificate({
    issuerName: encodeName({ commonName }),
    subjectName: encodeName({ commonName }),
    publicKey,
    signer: privateKey,
    extensions: [
      extension(oids.basicConstraints, true, der.sequence(der.boolean(true))),
      // Bits 5 and 6: signs certificates and revocation lists.
      extension(oids.keyUsage, true, der.bitString(Buffer.from([0b0000_0110]), 1)),
    ],
  });
  return { commonName, certificate, key: privateKey };
}

export async function issueCertificate(
  authority: Authority,
  request: CertificateRequest,
): Promise<IssuedCertificate> {
  const { publicKey, privateKey } = await generateKeys('ec', { namedCurve: 'P-256' });
  const usages = request.usages.map((usage) =>
    der.objectIdentifier(usage === 'server' ? oids.serverAuth : oids.clientAuth),
  );
  const hosts = request.hosts ?? [];
  const certificate = encodeCertificate({
    issuerName: encodeName({ commonName: authority.commonName }),
    subjectName: encodeName(request),
    publicKey,
    signer: authority.key,
    extensions: [
      extension(oids.basicConstraints, true, der.sequence()),
      // Bit 0: signs handshakes.
      extension(oids.keyUsage, true, der.bitString(Buffer.from([0b1000_0000]), 7)),
      extension(oids.extendedKeyUsage, false, der.sequence(...usages)),
      ...(hosts.length === 0
        ? []
        : [extension(oids.subjectAltName, false, der.sequence(...hosts.map(encodeHost)))]),
    ],
  });
  return { certificate, key: privateKey };
}

interface CertificateParts {
  readonly issuerName: Buffer;
  readonly subjectName: Buffer;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
}

function encodeCertificate(parts: CertificateParts): string {
  const algorithm = der.sequence(der.objectIdentifier(oids.ecdsaWithSha256));
  const nowMs = Date.now();
  const body = der.sequence(
    der.context(0, der.integer(Buffer.from([2])), true),
    der.integer(randomSerialNumber()),
    algorithm,
    parts.issuerName,
    der.sequence(der.time(new Date(nowMs - backdatedMs)), der.time(new Date(nowMs + validForMs))),
    parts.subjectName,
    parts.publicKey.export({ type: 'spki', format: 'der' }),
    der.context(
      3,
      der.sequence(
        ...parts.extensions,
        extension(
          oids.subjectKeyIdentifier,
          false,
          der.octetString(keyIdentifier(parts.publicKey)),
        ),
        extension(
          oids.authorityKeyIdentifier,
          false,
          der.sequence(der.context(0, keyIdentifier(createPublicKey(parts.signer)), false)),
        ),
      ),
      true,
    ),
  );
  const signature = sign('sha256', body, parts.signer);
  return toPem('CERTIFICATE', der.sequence(body, algorithm, der.bitString(signature)));
}

/** 16 random bytes, of which the first is never zero: DER wants the shortest form of a number. */
function randomSerialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function encodeName(name: { commonName: string; organization?: string }): Buffer {
  const attribute = (oid: string, value: string): Buffer =>
    der.set(der.sequence(der.objectIdentifier(oid), der.utf8String(value)));
  return der.sequence(
    ...(name.organization === undefined ? [] : [attribute(oids.organization, name.organization)]),
    attribute(oids.commonName, name.commonName),
  );
}

function extension(oid: string, critical: boolean, value: Buffer): Buffer {
  return der.sequence(
    der.objectIdentifier(oid),
    ...(critical ? [der.boolean(true)] : []),
    der.octetString(value),
  );
}

function encodeHost(host: string): Buffer {
  if (!isIPv4(host)) return der.context(2, Buffer.from(host, 'ascii'), false);
  return der.context(7, Buffer.from(host.split('.').map(Number)), false);
}

function toPem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
