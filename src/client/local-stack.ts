import { findStateFolder, layoutOf } from '../dev/stack/layout.js';
import { readState } from '../dev/stack/state.js';

/** What commands need to know of the stack that `slipway dev up` started here. */
export interface LocalStack {
  /** Where it keeps its state. */
  readonly folder: string;
  readonly kubeconfig: string;
  readonly context?: string | undefined;
  readonly temporalAddress?: string | undefined;
}

/** The stack of the folder's project while it is up; one that is down has no cluster to offer. */
export function findLocalStack(): LocalStack | undefined {
  const layout = layoutOf(findStateFolder(process.env['SLIPWAY_STATE_DIR'], process.cwd()));
  const { settings, ports } = readState(layout);
  if (settings === undefined) return undefined;
  const port = ports.temporal?.['grpc'];
  return {
    folder: layout.folder,
    kubeconfig: settings.kubeconfig ?? layout.kubeconfig,
    context: settings.context,
    temporalAddress:
      settings.temporalAddress ?? (port === undefined ? undefined : `127.0.0.1:${port}`),
  };
}
