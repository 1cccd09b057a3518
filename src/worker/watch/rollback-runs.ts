import { describeRun } from '../../contracts/search-attributes.js';
import { rollbackWorkflowId, workflowTypes } from '../../contracts/workflow-ids.js';
import type { ConfigKey, ConfigView } from '../../kubernetes/deployment-configs/config-view.js';
import { readBlock } from '../../kubernetes/deployment-configs/read-block.js';
import type { Need, RunSource } from './run-source.js';

const details = [
  'Takes a DeploymentConfig back to an earlier version, as its block `rollback` asks for, then ends.',
  'The block is taken away when that is done, or refused.',
].join(' ');

/** The DeploymentConfigs of a cluster that are asked to go back by what stands in them. */
export function rollbackRuns(
  cluster: string,
  view: Pick<ConfigView, 'keys' | 'onChange' | 'get'>,
): RunSource<ConfigKey> {
  return {
    keys: () => view.keys(),
    format: ({ namespace, name }) => `${namespace}/${name}`,
    onChange: (listener) => view.onChange(listener),
    findNeed: (key) => Promise.resolve(findNeed(cluster, view, key)),
  };
}

function findNeed(
  cluster: string,
  view: Pick<ConfigView, 'get'>,
  { namespace, name }: ConfigKey,
): Need | undefined {
  const config = view.get({ namespace, name });
  if (config === undefined || config.metadata.deletionTimestamp !== undefined) return undefined;
  const read = readBlock(config);
  if (read === undefined) return undefined;
  // What the schema lets in can be read; the run tells of all else.
  const wish = read.kind === 'wish' ? read.wish : config.rollback;
  return {
    state: String(config.metadata.generation ?? 0),
    isUrgent: true,
    run: {
      type: workflowTypes.rollback,
      workflowId: rollbackWorkflowId({ cluster, namespace }, [name]),
      input: { cluster, namespace, members: [{ name, wish }], fromBlock: true },
      summary: `Rollback of DeploymentConfig ${namespace}/${name} in ${cluster}`,
      details,
      attributes: describeRun('Rollback', { cluster, namespace, name }, 'Examining', undefined),
    },
  };
}
