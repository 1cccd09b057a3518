import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { text } from 'node:stream/consumers';

import { realNodeName } from '../../src/dev/node/node-network.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { ConfigTrial } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { readExample } from '../support/example-manifest.js';
import { HookTrial } from '../support/hook-trial.js';
import { startHttpServer, type HttpServer } from '../support/http-server.js';
import { findKubectl, openRealTrial, runKubectl } from '../support/real-node.js';
import { runSlipway, type CommandResult } from '../support/slipway-command.js';

const servers = sharedServers();
const env = { KUBECONFIG: servers.kubeconfig, TEMPORAL_ADDRESS: servers.temporalAddress };

let trial: ConfigTrial;
let endpoint: HttpServer;
let kubectl = '';
/** What the endpoint was told, in order. */
const calls: string[] = [];

beforeAll(async () => {
  kubectl = await findKubectl();
  trial = await openRealTrial();
  endpoint = await startHttpServer(
    async (request, response) => {
      calls.push(`${request.method} ${request.url} ${await text(request)}`);
      response.end();
    },
    await findNodeAddress(),
  );
}, 900_000);
afterAll(async () => {
  await endpoint.stop();
  await trial.close();
});

/** Where pods of the real node find this machine. */
async function findNodeAddress(): Promise<string> {
  type Node = KubernetesObject & { status: { addresses: { type: string; address: string }[] } };
  const node = await trial.cluster.client.get<Node>(resources.nodes, undefined, realNodeName);
  return node.status.addresses.find(({ type }) => type === 'InternalIP')!.address;
}

const deploy = (edits: Readonly<Record<string, string>> = {}): Promise<CommandResult> => {
  const port = endpoint.host.split(':')[1]!;
  const input = readExample('notify.yaml', { ':8099': `:${port}`, ...edits });
  return runSlipway(['deploy', '-n', trial.namespace, '-f', '-'], { env, input });
};

test('a post hook tells of each version once: not for each pod, and not when they become more', async () => {
  expect(await deploy()).toMatchObject({ code: 0 });
  expect(calls).toEqual(['POST /deployments version=notify-1']);
  const scale = ['scale', '-n', trial.namespace, 'dc/notify', '--replicas=5'];
  expect((await runKubectl(kubectl, scale)).code).toBe(0);
  await trial.untilServing('notify-1', 5);
  expect(await deploy({ 'replicas: 3': 'replicas: 5', '8080': '8081' })).toMatchObject({ code: 0 });
  expect(calls).toEqual([
    'POST /deployments version=notify-1',
    'POST /deployments version=notify-2',
  ]);
}, 180_000);

test('a version is complete also when nobody listens, and says so', async () => {
  await endpoint.stop();
  const { code } = await deploy({ 'replicas: 3': 'replicas: 1', '8080': '8082' });
  const version = await trial.untilPhase('notify-3', 'Complete');
  expect([code, new HookTrial(trial).phaseOf(version, 'post')]).toEqual([0, 'Failed']);
  const { stdout } = await runSlipway(['get', '-n', trial.namespace, 'dc/notify'], { env });
  expect(stdout).toMatch(/post hook +Failed +Continue +notify-3-hook-post +exit 1/);
}, 180_000);
