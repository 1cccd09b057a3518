import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { connectCluster } from '../../src/kubernetes/connect.js';
import { deployerImage, makeExampleImages } from '../support/real-node-images.js';
import {
  endOf,
  findKubectl,
  makeSharedImage,
  nodeStack,
  runKubectl,
  runPod,
  scriptPod,
  withRealNamespace,
} from '../support/real-node.js';

const cluster = connectCluster({ kubeconfig: nodeStack().kubeconfig });
let kubectl = '';
beforeAll(async () => {
  kubectl = await findKubectl();
}, 900_000);
afterAll(() => cluster.client.close());

describe('an image that is made of files of this machine', () => {
  test('with kubectl asks the apiserver as its pod, with its rights and no more', async () => {
    const image = await makeSharedImage(await deployerImage(kubectl));
    await withRealNamespace(cluster, async (namespace) => {
      const grant = ['create', 'rolebinding', 'view', '--clusterrole=view'];
      const whom = `--serviceaccount=${namespace}:default`;
      await runKubectl(kubectl, [...grant, whom, `--namespace=${namespace}`]);
      const script = 'kubectl get pod "$HOSTNAME" -o name && ! kubectl delete pod "$HOSTNAME"';
      const pod = scriptPod('asking', script, {}, { image });
      const ended = await runPod(cluster, namespace, pod);
      const { stdout } = await runKubectl(kubectl, ['logs', '-n', namespace, 'asking']);
      expect(stdout).toContain('pod/asking');
      expect(stdout).toContain(`system:serviceaccount:${namespace}:default`);
      expect(endOf(ended).exitCode).toBe(0);
    });
  });

  test('with PostgreSQL keeps what it is given', async () => {
    const [image] = await makeExampleImages('postgres');
    await withRealNamespace(cluster, async (namespace) => {
      const script = [
        'set -e',
        'initdb --auth=trust --locale=C --encoding=UTF8 >/dev/null 2>&1',
        'pg_ctl start --wait --silent --log=/tmp/log -o "-c listen_addresses="',
        'psql -qc "create table shop (name text)" postgres',
        `psql -qc "insert into shop values ('kept')" postgres`,
        'psql -Atc "select name from shop" postgres',
        'pg_ctl stop --silent --mode=fast',
      ].join('\n');
      const ended = await runPod(
        cluster,
        namespace,
        scriptPod(
          'database',
          script,
          {},
          { image: image!, terminationMessagePolicy: 'FallbackToLogsOnError' },
        ),
      );
      expect(endOf(ended)).toMatchObject({ exitCode: 0 });
      const { stdout } = await runKubectl(kubectl, ['logs', '-n', namespace, 'database']);
      expect(stdout).toBe('kept\n');
    });
  });

  test('is refused when the example has none of that name', async () => {
    await expect(makeExampleImages('mysql')).rejects.toMatchObject({
      code: 2,
      stderr:
        'make-images: mysql is no image of this example; it has postgres, rails:1, rails:2, rails:3\n',
    });
  });
});
