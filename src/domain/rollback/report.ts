/** One field that a rollback would change; `from` or `to` is absent where it is added or removed. */
export interface FieldChange {
  /** Example: spec.template.spec.containers[web].env[DB_HOST] */
  readonly field: string;
  readonly area: ChangeArea;
  readonly from?: string;
  readonly to?: string;
}

/** What people ask about before they go back, in the order in which it is shown. */
export const changeAreas = [
  'images',
  'env',
  'replicas',
  'strategy',
  'triggers',
  'volumes',
  'ports',
  'labels',
  'selector',
  'other',
] as const;

export type ChangeArea = (typeof changeAreas)[number];

/** What keeps a rollback from being made; nothing is changed then. */
export interface RollbackProblem {
  /** What is missing or wrong, named. */
  readonly field: string;
  readonly message: string;
}

export type RollbackWarningKind =
  /** Another config of the same application relies on a variable that changes or goes. */
  | 'Environment'
  /** A Service's target port disappears. */
  | 'ServicePort'
  /** A Service finds the pods no longer. */
  | 'ServiceSelector'
  /** A ConfigMap, Secret, PersistentVolumeClaim or ServiceAccount that the old template needs is gone. */
  | 'MissingReference'
  /** A hook has run since, and is not undone by going back. */
  | 'HookSince'
  /** An edit that no version was made of stays, and is deployed with it. */
  | 'Undeployed'
  /** It could not be found out, as where a registry does not answer. */
  | 'NotChecked';

/** What may break, though the rollback can be made. */
export interface RollbackWarning {
  readonly kind: RollbackWarningKind;
  /** The object that is concerned, such as Service/web or DeploymentConfig/db. */
  readonly object: string;
  readonly message: string;
}

/** What going back would mean for one config. */
export interface ConfigReport {
  readonly name: string;
  /** The version that it has now, and the one that it would go back to. */
  readonly from: number;
  readonly to: number;
  readonly changes: readonly FieldChange[];
  readonly problems: readonly RollbackProblem[];
  readonly warnings: readonly RollbackWarning[];
  /** What was looked at, so that nothing else is written over; absent where there is no such config. */
  readonly base?: ExaminedBase;
}

/** Not its resource version, which moves with each count in the status. */
export interface ExaminedBase {
  readonly uid: string;
  readonly generation: number;
}

/** What going back would mean for all that go back together, judged as they will be. */
export interface RollbackReport {
  readonly configs: readonly ConfigReport[];
}

export const isPossible = ({ configs }: RollbackReport): boolean =>
  configs.every(({ problems }) => problems.length === 0);
