/** The few pieces of DER that an X.509 certificate is made of. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

function tagged(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), encodeLength(content.length), content]);
}

/** Below 128 the length is one byte; above, a first byte says how many bytes of length follow. */
function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = encodeBase256(length);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function encodeBase256(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes;
}

/** Seven bits to a byte, the highest bit set on all but the last. */
function encodeArc(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest % 128) | 0x80);
  }
  return bytes;
}

export const der = {
  boolean: (value: boolean): Buffer => tagged(tags.boolean, Buffer.from([value ? 0xff : 0x00])),

  /** A positive number, most significant byte first; a leading zero keeps it from reading as negative. */
  integer: (bytes: Buffer): Buffer =>
    tagged(
      tags.integer,
      ((bytes[0] ?? 0) & 0x80) === 0 ? bytes : Buffer.concat([Buffer.from([0]), bytes]),
    ),

  bitString: (bytes: Buffer, unusedBits = 0): Buffer =>
    tagged(tags.bitString, Buffer.concat([Buffer.from([unusedBits]), bytes])),

  octetString: (bytes: Buffer): Buffer => tagged(tags.octetString, bytes),

  /** Example: "2.5.4.3" is the common name of a subject. */
  objectIdentifier: (dotted: string): Buffer => {
    const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
    return tagged(
      tags.objectIdentifier,
      Buffer.from([first * 40 + second, ...rest.flatMap(encodeArc)]),
    );
  },

  utf8String: (text: string): Buffer => tagged(tags.utf8String, Buffer.from(text, 'utf8')),

  /** Whole seconds in UTC. Certificates write the year in two digits until 2049, in four after that. */
  time: (date: Date): Buffer => {
    const digits = date.toISOString().replaceAll(/[-:T]|\.\d+Z$/g, '');
    return date.getUTCFullYear() < 2050
      ? tagged(tags.utcTime, Buffer.from(`${digits.slice(2)}Z`, 'ascii'))
      : tagged(tags.generalizedTime, Buffer.from(`${digits}Z`, 'ascii'));
  },

  sequence: (...items: readonly Buffer[]): Buffer => tagged(tags.sequence, Buffer.concat(items)),

  set: (...items: readonly Buffer[]): Buffer => tagged(tags.set, Buffer.concat(items)),

  /** A field known by its number: `constructed` when it wraps other values. */
  context: (number: number, content: Buffer, constructed: boolean): Buffer =>
    tagged(0x80 | (constructed ? 0x20 : 0) | number, content),
} as const;
