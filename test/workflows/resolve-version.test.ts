import { describe, expect, test } from '@jest/globals';

import type { VersionInput } from '../../src/contracts/deployment-config.js';
import { resolveVersion } from '../../src/workflows/deployment-config/resolve-version.js';

const id = 'deploymentConfig/local/shop/web-app-3';
const ref = { cluster: 'local', namespace: 'shop', name: 'web-app', version: 3 };
const manifest = {
  apiVersion: 'apps.openshift.io/v1',
  kind: 'DeploymentConfig',
  metadata: { name: 'web-app' },
};

describe('what a run is for', () => {
  test('a version that is there', () => {
    expect(resolveVersion(ref, id)).toEqual({ ref });
  });

  test('a version to ask for', () => {
    const request = { by: 'ci', reason: 'nightly' };
    expect(resolveVersion({ ...ref, request }, id)).toEqual({ ref, wish: request });
    expect(resolveVersion({ ...ref, request: {} }, id)).toEqual({ ref, wish: {} });
  });

  test('a manifest, whose namespace may be left to the workflow id', () => {
    expect(resolveVersion(manifest, id)).toEqual({ ref, wish: {}, manifest });
  });

  test('a version to go back with', () => {
    const rollback = { config: true, application: true, release: 1, notes: 'oops' };
    const written = { release: 'web-app-1', notes: 'oops' };
    expect(resolveVersion({ ...ref, rollback: { release: 1, notes: 'oops' } }, id)).toEqual({
      ref,
      rollback,
    });
    const inManifest = { ...manifest, rollback: written } as VersionInput;
    expect(resolveVersion(inManifest, id)).toEqual({ ref, rollback });
  });

  test('a version that others have asked for, once that is seen', () => {
    const since = { deployment: '17', replicaSets: {} };
    expect(resolveVersion({ ...ref, since }, id)).toEqual({ ref, since });
  });

  test.each<[unknown, string, string]>([
    [ref, 'deploymentConfig/local/shop/web', 'is not of the form'],
    [ref, 'deployment/local/shop/web-3', 'is not of the form'],
    [ref, 'deploymentConfig/local/shop/web-0', 'is not of the form'],
    [undefined, id, 'input: must be'],
    [[], id, 'input: must be'],
    [{ ...ref, version: 4 }, id, 'version: is 4, but the workflow id says 3'],
    [{ ...ref, since: 17 }, id, 'since: must be {deployment}'],
    [{ ...ref, rollback: 'web-app-1' }, id, 'rollback: must be an object'],
    [{ ...ref, rollback: { release: 'web-1' } }, id, 'rollback.release: must be a version of'],
    [{ ...ref, rollback: {}, request: {} }, id, 'request: must be left out with a rollback'],
    [{ ...manifest, spec: {}, rollback: {} }, id, 'spec: must be left out with a rollback'],
    [{ ...ref, request: 'please' }, id, 'request: must be {by, reason}'],
    [{ ...ref, request: { by: 1 } }, id, 'request.by: must be a text'],
    [{ ...manifest, kind: 'Deployment' }, id, 'kind: must be DeploymentConfig, not "Deployment"'],
    [{ ...manifest, apiVersion: 'v1' }, id, 'apiVersion: must be apps.openshift.io/v1, not "v1"'],
    [{ ...manifest, metadata: undefined }, id, 'metadata: is missing from the manifest'],
    [{ ...manifest, metadata: { name: 'x' } }, id, 'metadata.name: is "x"'],
    [
      { ...manifest, metadata: { name: 'web-app', namespace: 'y' } },
      id,
      'metadata.namespace: is "y"',
    ],
  ])('%j in %s is none: %s', (input, workflowId, problem) => {
    expect(() => resolveVersion(input as VersionInput, workflowId)).toThrow(problem);
  });
});
