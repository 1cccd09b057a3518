import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { describeWish } from '../describe-wish.js';
import type { Subject, Wish } from '../handling.js';
import { recordEvent } from '../record-event.js';
import { whoAmI } from '../who-am-i.js';

/** Turns the switch off that a rollback has turned on: triggers make versions again, all of them as they stand. */
export async function resumeTriggers(
  subject: Subject<DeploymentConfig>,
  { reason }: Wish,
): Promise<string> {
  const { session, type, ref, object } = subject;
  if (object.spec.triggersSuspended !== true) return `${ref}: its triggers are not suspended`;
  const { client } = session.cluster;
  const { namespace, name } = object.metadata;
  await client.patch(type, namespace, name, 'merge', { spec: { triggersSuspended: null } });
  const by = await whoAmI(session.cluster);
  const note = describeWish('Triggers resumed', { by, reason });
  await recordEvent(client, object, 'TriggersResumed', note);
  return `${ref}: triggers resumed${describeManual(object)}`;
}

/** Going back has made them so, and only their owner knows whether they are to act by themselves again. */
function describeManual({ spec }: DeploymentConfig): string {
  const manual = (spec.triggers ?? []).filter(
    ({ imageChangeParams: params }) =>
      params !== undefined && params !== null && params.automatic !== true,
  );
  return manual.length === 0
    ? ''
    : '; image triggers that are not automatic stay so: set spec.triggers to change that';
}
