import type { EndedTry, HookRecord } from '../../domain/hook/observation.js';
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
  return {
    ended: toNumber(kept['ended']) ?? 0,
    ...defined({
      phase: phases.find((phase) => phase === written[names.phase]),
      pod: written[names.pod],
      sinceMs: toNumber(kept['sinceMs']),
      endedAtMs: toNumber(kept['endedAtMs']),
      reason: toText(kept['reason']),
      tries: readTries(kept['tries']),
      isStopping: kept['isStopping'] === true ? true : undefined,
      wasStopped: kept['wasStopped'] === true ? true : undefined,
      resets: toNumber(kept['resets']),
    }),
  };
}

/** Undefined where none was kept, as by earlier workers; what can't be read is left out. */
function readTries(kept: unknown): readonly EndedTry[] | undefined {
  return Array.isArray(kept) ? kept.flatMap((each) => readTry(each) ?? []) : undefined;
}

function readTry(kept: unknown): EndedTry | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const fields = kept as Readonly<Record<string, unknown>>;
  const number = toNumber(fields['number']);
  const pod = toText(fields['pod']);
  const endedAtMs = toNumber(fields['endedAtMs']);
  if (number === undefined || pod === undefined || endedAtMs === undefined) return undefined;
  return {
    number,
    pod,
    endedAtMs,
    ...defined({
      startedAtMs: toNumber(fields['startedAtMs']),
      exitCode: toNumber(fields['exitCode']),
      reason: toText(fields['reason']),
      tail: toText(fields['tail']),
    }),
  };
}

const toNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

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

/**
 * What to write so that hooks that failed are tried again. One that has succeeded never is, unless what it
 * did was reverted since: then all begin anew.
 */
export function resetFailedHooks(deployment: KubernetesObject): Record<string, string | null> {
  if (readHookRecord(deployment, 'abort').phase === 'Succeeded') return resetAllHooks(deployment);
  return forgetThose(deployment, ({ phase }) => phase === 'Failed');
}

/** What to write so that hooks run again that were stopped with their rollout; failures stay what they are. */
export const resetStoppedHooks = (deployment: KubernetesObject): Record<string, string | null> =>
  forgetThose(deployment, ({ wasStopped }) => wasStopped === true);

const forgetThose = (
  deployment: KubernetesObject,
  isMeant: (record: HookRecord) => boolean,
): Record<string, string | null> =>
  forget(
    deployment,
    hookMoments.filter((moment) => isMeant(readHookRecord(deployment, moment))),
  );

/** What to write so that all hooks run once more, for another deployment of the same. */
export const resetAllHooks = (deployment: KubernetesObject): Record<string, string | null> =>
  forget(
    deployment,
    hookMoments.filter(
      (moment) => deployment.metadata.annotations?.[hookAnnotations(moment).record] !== undefined,
    ),
  );

function forget(
  deployment: KubernetesObject,
  moments: readonly HookMoment[],
): Record<string, string | null> {
  return Object.assign(
    {},
    ...moments.map((moment) => {
      const names = hookAnnotations(moment);
      const { ended, tries, resets = 0 } = readHookRecord(deployment, moment);
      // Tries are counted on, because the pods of earlier ones may still be there.
      const record = JSON.stringify({ ended, tries, resets: resets + 1 });
      return { [names.phase]: null, [names.pod]: null, [names.record]: record };
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
