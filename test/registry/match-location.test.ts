import { expect, test } from '@jest/globals';

import { matchesLocation, readLocation } from '../../src/registry/match-location.js';

test.each([
  ['quay.io', 'quay.io'],
  ['quay.io/', 'quay.io'],
  ['quay.io:8443/team', 'quay.io:8443/team'],
  ['https://index.docker.io/v1/', 'index.docker.io'],
  ['http://localhost:5000', 'localhost:5000'],
  ['https://quay.io/v2/', 'quay.io'],
  ['https://quay.io/v2/team', 'quay.io/team'],
  ['quay.io/v2team', 'quay.io/v2team'],
  ['https://quay.io/team?x=1#y', 'quay.io/team'],
  ['', undefined],
  ['https://', undefined],
  ['/team', undefined],
  ['quay io', undefined],
])('%j is for %j', (place, location) => {
  expect(readLocation(place)).toBe(location);
});

test.each([
  ['quay.io', 'quay.io/app', true],
  ['QUAY.io', 'quay.io/app', true],
  ['quay.io/team', 'quay.io/team/app', true],
  ['quay.io/team', 'quay.io/other/app', false],
  // As kubelet has it: the beginning of a path, not of its parts.
  ['quay.io/team', 'quay.io/teams/app', true],
  ['quay.io/team/', 'quay.io/teams/app', false],
  ['quay.io', 'quay.io:443/app', false],
  ['quay.io:443', 'quay.io/app', false],
  ['*.example.com', 'reg.example.com/app', true],
  ['*.example.com', 'example.com/app', false],
  ['*.example.com', 'a.b.example.com/app', false],
  ['*.*.example.com', 'a.b.example.com/app', true],
  ['*.example.com:5000', 'reg.example.com:5000/app', true],
  ['reg*.example.com', 'reg-eu.example.com/app', true],
  ['reg*.example.com', 'eu-reg.example.com/app', false],
  ['*reg*.example.com', 'my-reg-eu.example.com/app', true],
  ['reg?.example.com', 'reg1.example.com/app', true],
  ['reg?.example.com', 'reg.example.com/app', false],
  ['*.*', 'quay.io/app', true],
  ['*', 'quay.io/app', false],
  ['**.io', 'quay.io/app', true],
  ['qu.*', 'quay.io/app', false],
  ['[fd00::1]:5000', '[fd00::1]:5000/app', true],
  ['[fd00::1]:5000', '[fd00::2]:5000/app', false],
])('%s opens %s: %p', (location, image, opens) => {
  expect(matchesLocation(location, image)).toBe(opens);
});

test('no pattern takes long', () => {
  const startMs = Date.now();
  expect(matchesLocation(`${'*a'.repeat(500)}b`, `${'a'.repeat(60)}/app`)).toBe(false);
  expect(Date.now() - startMs).toBeLessThan(1_000);
});
