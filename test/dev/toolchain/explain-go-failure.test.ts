import { describe, expect, test } from '@jest/globals';

import { explainGoFailure } from '../../../src/dev/toolchain/explain-go-failure.js';
import { judgeFreeSpace } from '../../../src/dev/toolchain/free-space.js';
import { explainMissingGo, judgeGo } from '../../../src/dev/toolchain/judge-go.js';

describe('why go failed', () => {
  test.each([
    [
      'disk',
      'github.com/a/b\n/usr/local/go/pkg/tool/linux_amd64/link: writing output: write $WORK/b001/exe/a.out: no space left on device',
    ],
    [
      'disk',
      'go: downloading k8s.io/api v0.36.3\ngo: k8s.io/api@v0.36.3: write /root/go/pkg/mod/cache/x.zip: no space left on device\nunexpected EOF',
    ],
    ['disk', 'open /home/u/.cache/go-build/00/x: disk quota exceeded'],
    [
      'network',
      'go: sigs.k8s.io/kwok/cmd/kwok@v0.8.0: Get "https://proxy.golang.org/x.info": dial tcp: lookup proxy.golang.org on 10.0.0.2:53: no such host',
    ],
    [
      'network',
      'go: a@v1: Get "https://proxy.golang.org/a/@v/v1.mod": proxyconnect tcp: dial tcp 10.1.1.1:3128: connect: connection refused',
    ],
    ['network', 'go: a@v1: reading https://proxy.golang.org/a/@v/v1.zip: 403 Forbidden'],
    ['network', 'go: a@v1: Get "https://p": net/http: TLS handshake timeout'],
    [
      'network',
      'go: a@v1: Get "https://p": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ],
    ['network', 'go: a@v1: module lookup disabled by GOPROXY=off'],
    ['old-go', 'go: go.mod requires go >= 1.26.0 (running go 1.23.4; GOTOOLCHAIN=local)'],
    [
      'old-go',
      "go: errors parsing go.mod:\ngo.mod:3: invalid go version '1.26.0': must match format 1.23",
    ],
    ['old-go', 'go: download go1.26.0 for linux/amd64: toolchain not available'],
    ['memory', 'k8s.io/x: /usr/local/go/pkg/tool/linux_amd64/compile: signal: killed'],
    ['checksum', 'verifying a@v1: checksum mismatch\n\tdownloaded: h1:x\nSECURITY ERROR'],
    ['other', '# some/package\nmain.go:3:1: syntax error: unexpected name'],
    ['other', ''],
  ] as const)('%s: %s', (kind, output) => {
    expect(explainGoFailure(output, ['/cache']).kind).toBe(kind);
  });

  test('each is one sentence that says what to do', () => {
    const network = 'go: x: Get "https://p": dial tcp: lookup p: no such host';
    expect(explainGoFailure(`a\n${network}\nb`, []).sentence).toBe(
      `the Go module registry can't be reached (${network}): check the network, or set GOPROXY or HTTPS_PROXY to one that answers`,
    );
    expect(explainGoFailure('no space left on device', ['/a', '/b']).sentence).toContain(
      'free some space in /a, /b',
    );
    expect(explainGoFailure('first\nlast\n\n', []).sentence).toBe('go says: last');
  });

  test('names of compiled packages are no reason', () => {
    expect(explainGoFailure('crypto/x509\ncrypto/tls\nnet/http\nmain.go:1:1: wrong', []).kind).toBe(
      'other',
    );
  });
});

describe('the installed Go', () => {
  test.each([
    ['go1.26.0', 'local', true],
    ['go1.27.1', 'auto', true],
    ['go2.0', 'local', true],
    ['go1.25.3', 'auto', true],
    ['go1.25.3', 'local', false],
    ['go1.20.14', undefined, false],
    ['devel +abc', undefined, true],
  ])('%s with GOTOOLCHAIN=%s can be used: %p', (version, toolchain, isGood) => {
    const settings = {
      GOVERSION: version,
      ...(toolchain === undefined ? {} : { GOTOOLCHAIN: toolchain }),
    };
    expect(judgeGo(settings, '/usr/bin/go') === undefined).toBe(isGood);
  });

  test('one that is too old is named with its version', () => {
    expect(judgeGo({ GOVERSION: 'go1.20.14' }, '/usr/bin/go')).toBe(
      'Go 1.26 or later is needed, and /usr/bin/go is go1.20.14: install a newer one from https://go.dev/dl',
    );
  });

  test('a missing one leaves two ways out', () => {
    expect(explainMissingGo(['etcd', 'kwok'])).toBe(
      'Go 1.26 or later is needed to build etcd, kwok, and no go is on PATH: install it from https://go.dev/dl, or set SLIPWAY_ETCD_BIN, SLIPWAY_KWOK_BIN to the paths of existing binaries',
    );
  });
});

describe('the free space', () => {
  test('is enough, or the folder that lacks it is named', () => {
    const builds = ['kubernetes', 'temporal'] as const;
    const roomy = { path: '/a', freeBytes: 50e9 };
    expect(judgeFreeSpace(builds, [roomy])).toBeUndefined();
    expect(judgeFreeSpace(builds, [roomy, { path: '/b', freeBytes: 1.04e9 }])).toMatch(
      /^the build needs about \d\.\d GB and 1\.0 GB are free in \/b: free some space/,
    );
  });

  test('all the builds together take about 7 GB', () => {
    const all = ['kubernetes', 'temporal', 'kwok', 'etcd'] as const;
    expect(judgeFreeSpace(all, [{ path: '/a', freeBytes: 7.1e9 }])).toBeUndefined();
    expect(judgeFreeSpace(all, [{ path: '/a', freeBytes: 6.9e9 }])).toBeDefined();
  });
});
