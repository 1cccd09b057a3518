import type { HookMoment, HookPhase } from '../shared/hook.js';
import type { ConfigData, Labels, TemplateData } from './config-data.js';

/** A config that goes back, before and after. */
export interface GoingBack {
  readonly current: ConfigData;
  readonly proposed: ConfigData;
  /** The version that it has now, and the one that it goes back to. */
  readonly from: number;
  readonly to: number;
  /** Labels that its pods have beside those of the template, whichever the version. */
  readonly ownLabels: Labels;
  /** Its versions that are still there. */
  readonly versions: readonly VersionData[];
}

/** What a version has done, as far as that outlives it. */
export interface VersionData {
  readonly name: string;
  readonly version: number;
  /** Those that have begun. */
  readonly hooks: readonly HookBegun[];
}

export interface HookBegun {
  readonly moment: HookMoment;
  readonly command: readonly string[];
  readonly phase: HookPhase;
  /** How many of its tries have ended. */
  readonly ended: number;
  readonly endedAtMs?: number;
}

/** Something beside them whose pods may be part of the same application. */
export interface Neighbour {
  readonly kind: 'DeploymentConfig' | 'Deployment';
  readonly name: string;
  readonly labels: Labels;
  readonly selector: Labels;
  readonly template: TemplateData;
}

export interface ServiceData {
  readonly name: string;
  readonly selector: Labels;
  readonly ports: readonly ServicePortData[];
}

export interface ServicePortData {
  readonly name?: string;
  readonly protocol: string;
  readonly port: number;
  /** The name or the number of a port of the pods. */
  readonly targetPort: number | string;
}

/** An object that is there, of those that the pods would need. */
export interface Existing {
  readonly kind: ReferenceKind;
  readonly name: string;
  /** Absent where no key was asked for, or where they can't be known. */
  readonly keys?: readonly string[];
}

export const referenceKinds = [
  'ConfigMap',
  'Secret',
  'PersistentVolumeClaim',
  'ServiceAccount',
] as const;

export type ReferenceKind = (typeof referenceKinds)[number];
