/**
 * What an entry of a docker configuration is for: a host and perhaps a path, without what old clients
 * wrote around it; undefined where there is no host.
 * Example: "https://index.docker.io/v1/" -> "index.docker.io"
 */
export function readLocation(place: string): string | undefined {
  const schemeless = place.replace(/^https?:\/\//, '').replace(/[?#].*$/s, '');
  const { host, path } = splitPath(schemeless);
  if (host === '' || /\s/.test(schemeless)) return undefined;
  const withoutVersion = /^\/v[12]\//.test(path) ? path.slice(3) : path;
  return withoutVersion === '/' ? host : host + withoutVersion;
}

/**
 * As kubelet matches: the same port, hosts with the same number of parts, each part by its wildcards, and
 * a path that begins alike. An image is a host and a path, in full.
 */
export function matchesLocation(location: string, image: string): boolean {
  const wanted = splitPath(location);
  const given = splitPath(image);
  if (!given.path.startsWith(wanted.path)) return false;
  const wantedHost = splitPort(wanted.host);
  const givenHost = splitPort(given.host);
  if (wantedHost.port !== givenHost.port) return false;
  const wantedParts = wantedHost.name.split('.');
  const givenParts = givenHost.name.split('.');
  return (
    wantedParts.length === givenParts.length &&
    wantedParts.every((part, index) => matchesPart(part, givenParts[index] ?? ''))
  );
}

/** The order in which Go, and so kubelet, sorts texts. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function splitPath(text: string): { readonly host: string; readonly path: string } {
  const slash = text.indexOf('/');
  if (slash === -1) return { host: text, path: '' };
  return { host: text.slice(0, slash), path: text.slice(slash) };
}

function splitPort(host: string): { readonly name: string; readonly port: string } {
  const match = /^(.*):(\d*)$/.exec(host);
  return match === null ? { name: host, port: '' } : { name: match[1] ?? '', port: match[2] ?? '' };
}

/**
 * "*" stands for any number of characters and "?" for one, never for a dot: the parts have none. Goes back
 * to the last "*" alone, so that no pattern takes long.
 */
function matchesPart(pattern: string, part: string): boolean {
  let [inPattern, inPart] = [0, 0];
  let lastStar: { readonly inPattern: number; inPart: number } | undefined;
  while (inPart < part.length) {
    const sign = pattern.charAt(inPattern);
    if (sign === '*') {
      lastStar = { inPattern, inPart };
      inPattern += 1;
    } else if (sign === '?' || isSameLetter(sign, part.charAt(inPart))) {
      inPattern += 1;
      inPart += 1;
    } else if (lastStar !== undefined) {
      lastStar.inPart += 1;
      inPattern = lastStar.inPattern + 1;
      inPart = lastStar.inPart;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(inPattern));
}

const isSameLetter = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
