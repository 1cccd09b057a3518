import type { HookRecord } from '../../domain/hook/observation.js';
import { hookMoments, type HookMoment, type HookPhase } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';
import type { KubernetesObject } from '../objects.js';
import { hookAnnotations } from './annotations.js';

const phases: readonly HookPhase[] = ['Pending', 'Running', 'Succeeded', 'Failed'];

/** What is kept of a hook on its deployment. */
export function readHookRecord({ metadata }: KubernetesObject, moment: HookMoment): HookRecord {
  const names = hookAnnotations(moment);
  const written = metadata.annotations ?? {};
  const kept = parse(written[names.record]);
  const number = (value: unknown): number | undefined =>
    typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
  return {
    ended: number(kept['ended']) ?? 0,
    ...defined({
      phase: phases.find((phase) => phase === written[names.phase]),
      pod: written[names.pod],
      sinceMs: number(kept['sinceMs']),
      endedAtMs: number(kept['endedAtMs']),
      reason: typeof kept['reason'] === 'string' ? kept['reason'] : undefined,
    }),
  };
}

/** The annotations that keep it. */
export function writeHookRecord(record: HookRecord, moment: HookMoment): Record<string, string> {
  const { phase, pod, ...kept } = record;
  const names = hookAnnotations(moment);
  return {
    [names.record]: JSON.stringify(kept),
    ...(phase === undefined ? {} : { [names.phase]: phase }),
    ...(pod === undefined ? {} : { [names.pod]: pod }),
  };
}

/** What to write so that hooks that failed are tried again; one that has succeeded never is. */
export function resetFailedHooks(deployment: KubernetesObject): Record<string, string | null> {
  const failed = hookMoments.filter(
    (moment) => readHookRecord(deployment, moment).phase === 'Failed',
  );
  return Object.assign(
    {},
    ...failed.map((moment) => {
      const names = hookAnnotations(moment);
      const { ended } = readHookRecord(deployment, moment);
      // Tries are counted on, because the pods of earlier ones may still be there.
      return { [names.phase]: null, [names.pod]: null, [names.record]: JSON.stringify({ ended }) };
    }),
  ) as Record<string, string | null>;
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
